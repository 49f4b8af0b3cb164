package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Look;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.idempotency.Sent;
import java.util.Optional;

/** Answers a request that was sent before, byte for byte, without reading it. */
public final class Repeat {

    private final Ports ports;

    public Repeat(Ports ports) {
        this.ports = ports;
    }

    public Look look(KeyScope scope) {
        return new Look(Keys.find(ports.store()::find, scope));
    }

    /** The recorded answer, if these bytes made it; empty says nothing of whether the key is free. */
    public Optional<Outcome> answer(Look look, Sent sent) {
        return look.found()
                .filter(key ->
                        key.sent().equals(sent) && key.isLive(ports.clock().instant()))
                .map(Once::replay);
    }
}
