package dev.nonbis.core.audit;

import dev.nonbis.core.identity.TenantId;
import java.time.Instant;

/**
 * How much of a tenant's log is sealed, and how much of that was dropped.
 *
 * @param size the number of events in the tree, which is the seq of the last one
 * @param sealedAt when the last checkpoint was made
 * @param dropped the seq of the last event that was let go; zero when all are kept
 */
public record AuditTree(long size, Instant sealedAt, long dropped) {

    public static final AuditTree EMPTY = new AuditTree(0, Instant.EPOCH, 0);

    /** Where a tile of a tenant's tree is found. */
    public record TileKey(TenantId tenant, MerkleTree.Tile tile) {}

    public AuditTree grownTo(long events, Instant at) {
        return new AuditTree(events, at, dropped);
    }

    public AuditTree droppedThrough(long seq) {
        return new AuditTree(size, sealedAt, seq);
    }
}
