package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Takes the payload out of an event, for good. The chain and the tree hold its digest and stay as they are; that it was taken out is an
 * event of its own, without which a verifier does not accept the gap.
 */
public final class RedactEvent {

    private final Ports ports;

    public RedactEvent(Ports ports) {
        this.ports = ports;
    }

    /** How a call ended. */
    public sealed interface Result {

        record Redacted(String eventId) implements Result {}

        record AlreadyRedacted(String eventId) implements Result {}

        record NoSuchEvent() implements Result {}
    }

    public Result redact(Actor actor, long seq, String reason) {
        Instant now = ports.clock().instant();
        var key = AuditPage.Key.of(actor.tenant(), seq);
        List<RowRef<?, ?>> reads = List.of(
                Tables.AUDIT.row(key), Tables.TENANTS.row(actor.tenant()), Tables.AUDIT_TREES.row(actor.tenant()));
        return ports.store().transact(reads, tx -> {
            long dropped = tx.find(Tables.AUDIT_TREES, actor.tenant())
                    .orElse(AuditTree.EMPTY)
                    .dropped();
            var page = tx.find(Tables.AUDIT, key);
            var state = tx.find(Tables.TENANTS, actor.tenant()).orElse(TenantState.NEW);
            var found = page.orElse(state.open()).find(seq);
            // The rows of what was dropped go in the background; nobody sees them any more.
            if (found.isEmpty() || seq <= dropped) {
                return new Result.NoSuchEvent();
            }
            String id = id(found.get());
            if (found.get().isRedacted()) {
                return new Result.AlreadyRedacted(id);
            }
            var redacted = found.get().redacted();
            if (page.isPresent()) {
                tx.update(Tables.AUDIT, key, page.get().with(redacted));
            } else {
                tx.update(
                        Tables.TENANTS,
                        actor.tenant(),
                        state.withOpen(state.open().with(redacted)));
            }
            var data =
                    JsonObject.builder().put("seq", seq).put("reason", reason).build();
            Audit.append(
                    tx,
                    actor.tenant(),
                    new AuditEvent.Draft(
                            now, "audit.redacted", actor.subject(), id, Optional.empty(), Optional.empty(), data));
            return new Result.Redacted(id);
        });
    }

    private static String id(AuditEvent event) {
        return Json.parse(event.chained()) instanceof JsonObject chained
                ? chained.string("id").orElseThrow(() -> new IllegalStateException("an event without id"))
                : "";
    }
}
