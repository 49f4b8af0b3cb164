package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.idempotency.Sent;
import dev.nonbis.core.store.Tables;
import java.util.Optional;

/** Answers a request that was sent before, byte for byte, without looking into it. */
public final class Repeat {

    private final Ports ports;

    public Repeat(Ports ports) {
        this.ports = ports;
    }

    /** The recorded answer, if these bytes made it; empty says nothing of whether the key is free. */
    public Optional<Outcome> find(KeyScope scope, Sent sent) {
        return ports.store()
                .find(Tables.KEYS, scope)
                .filter(key ->
                        key.sent().equals(sent) && key.isLive(ports.clock().instant()))
                .map(Once::replay);
    }
}
