package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Frees a key before its time, because a human says so. What it made stays. */
public final class ReleaseKey {

    private final Ports ports;

    public ReleaseKey(Ports ports) {
        this.ports = ports;
    }

    /** How a call ended. */
    public sealed interface Result {

        record Released(String subject) implements Result {}

        record NoSuchKey() implements Result {}
    }

    public Result release(Actor actor, KeyScope scope, String reason) {
        Instant now = ports.clock().instant();
        return ports.store().transact(List.of(Tables.KEYS.row(scope), Tables.TENANTS.row(actor.tenant())), tx -> {
            var key = tx.find(Tables.KEYS, scope).filter(found -> found.isLive(now));
            if (key.isEmpty()) {
                return new Result.NoSuchKey();
            }
            tx.delete(Tables.KEYS, scope);
            var data = JsonObject.builder()
                    .put("operation", scope.operation().word())
                    .put("key", scope.key().value())
                    .put("reason", reason)
                    .build();
            Audit.append(
                    tx,
                    actor.tenant(),
                    new AuditEvent.Draft(
                            now,
                            "key.released",
                            actor.subject(),
                            key.get().subject(),
                            Optional.empty(),
                            Optional.empty(),
                            data));
            return new Result.Released(key.get().subject());
        });
    }
}
