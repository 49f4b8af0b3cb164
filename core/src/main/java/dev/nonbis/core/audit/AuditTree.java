package dev.nonbis.core.audit;

import dev.nonbis.core.identity.TenantId;

/**
 * How much of a tenant's log is sealed, and how much of that was dropped.
 *
 * @param size the number of events in the tree, which is the seq of the last one
 * @param dropped the seq of the last event that was let go; zero when all are kept
 * @param removed the seq up to which the rows of dropped events are removed
 */
public record AuditTree(long size, long dropped, long removed) {

    public static final AuditTree EMPTY = new AuditTree(0, 0, 0);

    /** Where a tile of a tenant's tree is found. */
    public record TileKey(TenantId tenant, MerkleTree.Tile tile) {}

    public AuditTree grownTo(long events) {
        return new AuditTree(events, dropped, removed);
    }

    public AuditTree droppedThrough(long seq) {
        return new AuditTree(size, seq, removed);
    }

    public AuditTree removedThrough(long seq) {
        return new AuditTree(size, dropped, seq);
    }

    /** Whether events were dropped whose rows are still there. */
    public boolean hasRowsToRemove() {
        return removed < dropped;
    }
}
