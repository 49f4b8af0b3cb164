package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.audit.Checkpoint;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets the beginning of a log go, up to a checkpoint that then stands for it: the rest is verified from there, and the tree keeps the
 * digests of what is gone. Which events are gone is decided at once, in one audited step; their rows go in the background.
 */
public final class DropSegment {

    private static final int BATCH = 500;

    private final Ports ports;

    public DropSegment(Ports ports) {
        this.ports = ports;
    }

    /** How a call ended. */
    public sealed interface Result {

        record Dropped(long through) implements Result {}

        /** That much, or more, was dropped before. */
        record AlreadyDropped(long through) implements Result {}

        record NoCheckpointThere() implements Result {}
    }

    public Result drop(Actor actor, long through, String reason) {
        Instant now = ports.clock().instant();
        var tenant = actor.tenant();
        var checkpointKey = new Checkpoint.Key(tenant, through);
        List<RowRef<?, ?>> reads = List.of(
                Tables.TENANTS.row(tenant),
                Tables.AUDIT_TREES.row(tenant),
                Tables.AUDIT_CHECKPOINTS.row(checkpointKey));
        return ports.store().transact(reads, tx -> {
            var tree = tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY);
            var checkpoint = tx.find(Tables.AUDIT_CHECKPOINTS, checkpointKey);
            if (checkpoint.isEmpty()) {
                return new Result.NoCheckpointThere();
            }
            if (through <= tree.dropped()) {
                return new Result.AlreadyDropped(tree.dropped());
            }
            tx.put(Tables.AUDIT_TREES, tenant, tree.droppedThrough(through));
            var data = JsonObject.builder()
                    .put("through", through)
                    .put("checkpoint", checkpoint.get())
                    .put("reason", reason)
                    .build();
            Audit.append(
                    tx,
                    tenant,
                    new AuditEvent.Draft(
                            now,
                            "audit.segment_dropped",
                            actor.subject(),
                            "audit",
                            Optional.empty(),
                            Optional.empty(),
                            data));
            return new Result.Dropped(through);
        });
    }

    /** Removes one batch of rows of every log that has any to remove; returns how many. */
    public int runOnce() {
        int removed = 0;
        var trees = ports.store()
                .read(tx ->
                        tx.scan(Range.keysStartingWith(Tables.AUDIT_TREES, "").limit(Integer.MAX_VALUE)));
        for (var hit : trees) {
            if (hit.row().dropped() > 0) {
                removed += remove(new TenantId(hit.key()), hit.row().dropped());
            }
        }
        return removed;
    }

    // Another server may remove the same ones.
    private int remove(TenantId tenant, long through) {
        var oldest = ports.store()
                .read(tx -> tx.scan(
                        Range.keysStartingWith(Tables.AUDIT, tenant + "/").limit(BATCH)));
        List<AuditPage.Key> pages = new ArrayList<>();
        List<RowRef<?, ?>> reads = new ArrayList<>();
        for (var hit : oldest) {
            if (startsBy(hit.row(), through)) {
                var key = AuditPage.Key.of(tenant, hit.row().events().getFirst().seq());
                pages.add(key);
                reads.add(Tables.AUDIT.row(key));
            }
        }
        reads.add(Tables.TENANTS.row(tenant));
        return ports.store().transact(reads, tx -> {
            int removed = 0;
            for (var key : pages) {
                var page = tx.find(Tables.AUDIT, key);
                removed += page.map(events -> shorten(tx, key, events, through)).orElse(0);
            }
            var state = tx.find(Tables.TENANTS, tenant).orElse(TenantState.NEW);
            if (startsBy(state.open(), through)) {
                var left = state.open().after(through);
                removed += state.open().events().size() - left.events().size();
                tx.update(Tables.TENANTS, tenant, state.withOpen(left));
            }
            return removed;
        });
    }

    private static int shorten(Tx tx, AuditPage.Key key, AuditPage page, long through) {
        var left = page.after(through);
        if (left.events().isEmpty()) {
            tx.delete(Tables.AUDIT, key);
        } else if (!left.equals(page)) {
            tx.update(Tables.AUDIT, key, left);
        }
        return page.events().size() - left.events().size();
    }

    private static boolean startsBy(AuditPage page, long seq) {
        return !page.events().isEmpty() && page.events().getFirst().seq() <= seq;
    }
}
