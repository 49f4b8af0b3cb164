package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditSeal;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.audit.Checkpoint;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** Proofs about the sealed part of a log. */
public final class ProveAudit {

    private final Store store;

    public ProveAudit(Store store) {
        this.store = store;
    }

    /** That an event is in the log; the hashes are those of RFC 9162 from the leaf up. */
    public record Inclusion(long seq, long size, byte[] root, List<byte[]> hashes) {}

    /** That the log of one size is the beginning of that of another. */
    public record Consistency(long from, long to, byte[] fromRoot, byte[] toRoot, List<byte[]> hashes) {}

    /** How many events are sealed. */
    public long sealed(TenantId tenant) {
        return store.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY).size();
    }

    /** Empty when the sizes do not fit what is sealed. */
    public Optional<Inclusion> inclusion(TenantId tenant, long seq, long size) {
        return store.read(tx -> {
            if (seq < 1 || seq > size || size > size(tx, tenant)) {
                return Optional.empty();
            }
            var tree = AuditTiles.tree(tx, tenant);
            return Optional.of(new Inclusion(seq, size, tree.root(size), tree.inclusion(seq - 1, size)));
        });
    }

    /** Empty when the sizes do not fit what is sealed. */
    public Optional<Consistency> consistency(TenantId tenant, long from, long to) {
        return store.read(tx -> {
            if (from < 1 || from > to || to > size(tx, tenant)) {
                return Optional.empty();
            }
            var tree = AuditTiles.tree(tx, tenant);
            return Optional.of(new Consistency(from, to, tree.root(from), tree.root(to), tree.consistency(from, to)));
        });
    }

    /** What stands beside an export of everything that is sealed; empty when nothing is. */
    public Optional<AuditSeal> seal(TenantId tenant) {
        return store.read(tx -> {
            var tree = tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY);
            return checkpoint(tx, tenant, tree.size()).map(last -> new AuditSeal(last, base(tx, tenant, tree)));
        });
    }

    private static Optional<AuditSeal.Base> base(ReadTx tx, TenantId tenant, AuditTree tree) {
        return tree.dropped() == 0
                ? Optional.empty()
                : checkpoint(tx, tenant, tree.dropped())
                        .map(from -> new AuditSeal.Base(
                                from, AuditTiles.tree(tx, tenant).subtrees(tree.dropped())));
    }

    private static Optional<JsonObject> checkpoint(ReadTx tx, TenantId tenant, long seq) {
        return tx.find(Tables.AUDIT_CHECKPOINTS, new Checkpoint.Key(tenant, seq));
    }

    private static long size(ReadTx tx, TenantId tenant) {
        return tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY).size();
    }
}
