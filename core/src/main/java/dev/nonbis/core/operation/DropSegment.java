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
import java.util.LinkedHashSet;
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

    /** Removes one batch of rows of every log that has any to remove; returns how many events were in them. */
    public int runOnce() {
        return AllRows.in(
                        ports.store(), Range.entriesStartingWith(Tables.AUDIT_TREES, Tables.AUDIT_TREES_BY_REMOVAL, ""))
                .mapToInt(hit -> remove(new TenantId(hit.key()), hit.row()))
                .sum();
    }

    // Another server may remove the same ones.
    private int remove(TenantId tenant, AuditTree seen) {
        long through = seen.dropped();
        var oldest = ports.store().read(tx -> tx.scan(oldest(tenant, seen.removed())));
        var pages = new LinkedHashSet<AuditPage.Key>();
        for (var hit : oldest) {
            if (startsBy(hit.row(), through)) {
                pages.add(AuditPage.Key.of(tenant, hit.row().events().getFirst().seq()));
            }
        }
        boolean isLast = pages.size() < BATCH;
        long done = isLast
                ? through
                : Math.min(through, (oldest.getLast().row().events().getLast().seq()));
        // The tenant's row may have had the last of them until now.
        pages.add(AuditPage.Key.of(tenant, done));
        List<RowRef<?, ?>> reads = new ArrayList<>();
        pages.forEach(key -> reads.add(Tables.AUDIT.row(key)));
        reads.add(Tables.TENANTS.row(tenant));
        reads.add(Tables.AUDIT_TREES.row(tenant));
        return ports.store().transact(reads, tx -> {
            int removed = 0;
            for (var key : pages) {
                var page = tx.find(Tables.AUDIT, key);
                removed += page.map(events -> shorten(tx, key, events, through)).orElse(0);
            }
            if (isLast) {
                removed += shortenOpen(tx, tenant, through);
            }
            var tree = tx.get(Tables.AUDIT_TREES, tenant);
            if (done > tree.removed()) {
                tx.update(Tables.AUDIT_TREES, tenant, tree.removedThrough(done));
            }
            return removed;
        });
    }

    /** The first pages of which not all rows are removed. What was removed is not looked at again. */
    private static Range<AuditPage> oldest(TenantId tenant, long removed) {
        var firstLeft = AuditPage.Key.of(tenant, removed + 1);
        var before = Optional.of(firstLeft.number())
                .filter(number -> number > 0)
                .map(number ->
                        Tables.AUDIT.row(new AuditPage.Key(tenant, number - 1)).key());
        return Range.keysStartingWith(Tables.AUDIT, tenant + "/").after(before).limit(BATCH);
    }

    private static int shortenOpen(Tx tx, TenantId tenant, long through) {
        var state = tx.find(Tables.TENANTS, tenant).orElse(TenantState.NEW);
        if (!startsBy(state.open(), through)) {
            return 0;
        }
        var left = state.open().after(through);
        tx.update(Tables.TENANTS, tenant, state.withOpen(left));
        return state.open().events().size() - left.events().size();
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
