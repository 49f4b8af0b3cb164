package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.core.tenant.TenantState.RunLimit;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Sets how many runs of the caller's tenant may be active. Runs that are active already go on. */
public final class SetRunLimit {

    private final Ports ports;

    public SetRunLimit(Ports ports) {
        this.ports = ports;
    }

    /** Returns the tenant as it is afterwards; setting the limit that is set changes nothing. */
    public TenantState set(Actor actor, Optional<Integer> maxConcurrentRuns) {
        Instant now = ports.clock().instant();
        var limit = new RunLimit(maxConcurrentRuns);
        return ports.store().transact(List.of(Tables.TENANTS.row(actor.tenant())), tx -> {
            var before = tx.find(Tables.TENANTS, actor.tenant()).orElse(TenantState.NEW);
            if (before.runLimit().equals(Optional.of(limit))) {
                return before;
            }
            tx.put(Tables.TENANTS, actor.tenant(), before.with(limit));
            JsonValue value =
                    maxConcurrentRuns.<JsonValue>map(n -> new JsonNumber(n)).orElse(JsonNull.NULL);
            Audit.append(
                    tx,
                    actor.tenant(),
                    new AuditEvent.Draft(
                            now,
                            "limits.set",
                            actor.subject(),
                            actor.tenant().value(),
                            Optional.empty(),
                            Optional.empty(),
                            JsonObject.builder()
                                    .put("max_concurrent_runs", value)
                                    .build()));
            return tx.get(Tables.TENANTS, actor.tenant());
        });
    }
}
