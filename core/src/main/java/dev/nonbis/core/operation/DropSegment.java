package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.audit.Checkpoint;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
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

    private int remove(TenantId tenant, long through) {
        var oldest = ports.store()
                .read(tx -> tx.scan(
                        Range.keysStartingWith(Tables.AUDIT, tenant + "/").limit(BATCH)));
        List<AuditEvent.Key> gone = new ArrayList<>();
        List<RowRef<?, ?>> reads = new ArrayList<>();
        for (var hit : oldest) {
            if (hit.row().seq() <= through) {
                var key = new AuditEvent.Key(tenant, hit.row().seq());
                gone.add(key);
                reads.add(Tables.AUDIT.row(key));
            }
        }
        if (gone.isEmpty()) {
            return 0;
        }
        return ports.store().transact(reads, tx -> {
            // Another server may remove the same ones.
            gone.forEach(key -> tx.find(Tables.AUDIT, key).ifPresent(event -> tx.delete(Tables.AUDIT, key)));
            return gone.size();
        });
    }
}
