package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Frees a key before its time, because a human says so. What it made stays. */
public final class ReleaseKey {

    /** Stands in the log for what a damaged key had made. */
    private static final String UNKNOWN = "unknown";

    private final Ports ports;

    public ReleaseKey(Ports ports) {
        this.ports = ports;
    }

    /** How a call ended. */
    public sealed interface Result {

        /**
         * The key is free.
         *
         * @param subject what it made; absent when its row was damaged, so that nothing in it can be relied on
         */
        record Released(Optional<String> subject) implements Result {}

        record NoSuchKey() implements Result {}
    }

    public Result release(Actor actor, KeyScope scope, String reason) {
        Instant now = ports.clock().instant();
        return ports.store().transact(List.of(Tables.KEYS.row(scope), Tables.TENANTS.row(actor.tenant())), tx -> {
            var stored = tx.find(Tables.KEYS, scope);
            var key = stored.flatMap(found -> found.intact(scope));
            boolean isDamaged = stored.isPresent() && key.isEmpty();
            if (!isDamaged && key.filter(found -> found.isLive(now)).isEmpty()) {
                return new Result.NoSuchKey();
            }
            tx.delete(Tables.KEYS, scope);
            var data = JsonObject.builder()
                    .put("operation", scope.operation().word())
                    .put("key", scope.key().value())
                    .put("reason", reason);
            if (isDamaged) {
                data.put("damaged", true);
            }
            var subject = key.map(KeyRecord::subject);
            Audit.append(
                    tx,
                    actor.tenant(),
                    new AuditEvent.Draft(
                            now,
                            "key.released",
                            actor.subject(),
                            subject.orElse(UNKNOWN),
                            Optional.empty(),
                            Optional.empty(),
                            data.build()));
            return new Result.Released(subject);
        });
    }
}
