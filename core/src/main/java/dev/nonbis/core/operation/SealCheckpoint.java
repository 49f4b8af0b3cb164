package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditHead;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.audit.Checkpoint;
import dev.nonbis.core.audit.LastCheckpoint;
import dev.nonbis.core.audit.MerkleGrowth;
import dev.nonbis.core.audit.MerkleHash;
import dev.nonbis.core.audit.MerkleTree.Tile;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Signs how far every log has come: after each thousand events, and after a minute in which there were any. Events never change once they
 * are committed, so that all but the last step is done on committed rows; if another server was quicker, that step changes nothing.
 */
public final class SealCheckpoint {

    // Of one log: where there is much to seal, a look and a transaction for each would cost more than the sealing.
    private static final int CHECKPOINTS_AT_ONCE = 8;

    private final Ports ports;

    public SealCheckpoint(Ports ports) {
        this.ports = ports;
    }

    private record Growth(AuditTree before, AuditTree after, Map<Tile, byte[]> tiles, List<Signed> checkpoints) {}

    private record Signed(long size, JsonObject checkpoint) {}

    /** Seals every log that is due; returns how many checkpoints it made. A log that cannot be sealed keeps no other from it. */
    public int runOnce() {
        Instant now = ports.clock().instant();
        var failures = new ArrayList<RuntimeException>();
        // What is due exactly now is due.
        int sealed = sealAll("", Tables.dueEntry(now.plusNanos(1000)), failures);
        // A clock that was set back must not keep a log open until it has caught up.
        sealed += sealAll(Tables.dueEntry(now.plus(LastCheckpoint.MAX_AGE).plusNanos(1000)), "~", failures);
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        return sealed;
    }

    private int sealAll(String from, String to, List<RuntimeException> failures) {
        return AllRows.in(ports.store(), Range.entriesUpTo(Tables.TENANTS, Tables.TENANTS_BY_CHECKPOINT, from, to))
                .mapToInt(hit -> sealDue(new TenantId(hit.key()), hit.row(), failures))
                .sum();
    }

    /** Seals all there is of one log and returns its last checkpoint; empty when nothing has happened yet. */
    public Optional<JsonObject> seal(TenantId tenant) {
        long head = head(tenant);
        while (tree(tenant).size() < head) {
            sealSome(tenant, head);
        }
        long size = tree(tenant).size();
        return ports.store().find(Tables.AUDIT_CHECKPOINTS, new Checkpoint.Key(tenant, size));
    }

    private int sealDue(TenantId tenant, TenantState state, List<RuntimeException> failures) {
        long head = state.audit().seq();
        int sealed = 0;
        try {
            int more = sealSome(tenant, head);
            while (more > 0) {
                sealed += more;
                more = head - tree(tenant).size() >= LastCheckpoint.MAX_EVENTS ? sealSome(tenant, head) : 0;
            }
        } catch (StoreUnavailable away) {
            throw away;
        } catch (RuntimeException damaged) {
            failures.add(damaged);
        }
        return sealed;
    }

    /** How many checkpoints it made. */
    private int sealSome(TenantId tenant, long head) {
        Instant now = ports.clock().instant();
        return ports.store()
                .read(tx -> grow(tx, tenant, head, now))
                .map(growth -> seal(tenant, growth, now))
                .orElse(0);
    }

    private int seal(TenantId tenant, Growth growth, Instant now) {
        List<RowRef<?, ?>> reads = new ArrayList<>();
        reads.add(Tables.AUDIT_TREES.row(tenant));
        reads.add(Tables.TENANTS.row(tenant));
        growth.tiles().keySet().forEach(tile -> reads.add(Tables.AUDIT_TILES.row(new AuditTree.TileKey(tenant, tile))));
        return ports.store().transact(reads, tx -> {
            var current = tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY);
            if (current.size() != growth.before().size()) {
                return 0;
            }
            // What was dropped meanwhile stays dropped.
            long size = growth.after().size();
            tx.put(Tables.AUDIT_TREES, tenant, current.grownTo(size));
            tx.update(Tables.TENANTS, tenant, tx.get(Tables.TENANTS, tenant).with(new LastCheckpoint(size, now)));
            growth.tiles()
                    .forEach((tile, nodes) -> tx.put(Tables.AUDIT_TILES, new AuditTree.TileKey(tenant, tile), nodes));
            growth.checkpoints()
                    .forEach(signed -> tx.insert(
                            Tables.AUDIT_CHECKPOINTS, new Checkpoint.Key(tenant, signed.size()), signed.checkpoint()));
            return growth.checkpoints().size();
        });
    }

    /** Empty when another server has sealed that far meanwhile. */
    private Optional<Growth> grow(ReadTx tx, TenantId tenant, long head, Instant now) {
        var before = tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY);
        if (before.size() >= head) {
            return Optional.empty();
        }
        var growth = new MerkleGrowth(before.size(), tile -> AuditTiles.tile(tx, tenant, tile));
        var checkpoints = new ArrayList<Signed>();
        do {
            var last = addNext(growth, tx, tenant, head);
            var unsigned = Checkpoint.unsigned(tenant, last, growth.root(), now);
            checkpoints.add(new Signed(growth.size(), ports.signer().sign(unsigned)));
        } while (head - growth.size() >= LastCheckpoint.MAX_EVENTS && checkpoints.size() < CHECKPOINTS_AT_ONCE);
        return Optional.of(new Growth(before, before.grownTo(growth.size()), growth.changed(), checkpoints));
    }

    /** Adds the events of one checkpoint and returns the last. */
    private static AuditHead addNext(MerkleGrowth growth, ReadTx tx, TenantId tenant, long head) {
        int count = (int) Math.min(LastCheckpoint.MAX_EVENTS, head - growth.size());
        var events = AuditLog.after(tx, tenant, growth.size(), count);
        for (var event : events) {
            if (event.seq() != growth.size() + 1) {
                throw missing(tx, tenant, growth.size() + 1);
            }
            growth.add(MerkleHash.leaf(event.chained()));
        }
        if (events.size() < count) {
            throw missing(tx, tenant, growth.size() + 1);
        }
        return events.getLast().asHead();
    }

    // While a disk is full, single rows may be newer than what is listed.
    private static RuntimeException missing(ReadTx tx, TenantId tenant, long seq) {
        return AuditLog.find(tx, tenant, seq).isPresent()
                ? new StoreUnavailable(
                        Fate.DID_NOT_HAPPEN, Cause.FAILED, "the log of " + tenant + " is not in the database yet")
                : new IllegalStateException("the log of " + tenant + " lacks event " + seq);
    }

    private long head(TenantId tenant) {
        return ports.store()
                .find(Tables.TENANTS, tenant)
                .orElse(TenantState.NEW)
                .audit()
                .seq();
    }

    private AuditTree tree(TenantId tenant) {
        return ports.store().find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY);
    }
}
