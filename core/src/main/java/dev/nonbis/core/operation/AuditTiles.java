package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.audit.MerkleTree;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Tables;

/** A tenant's tree as it is stored. */
final class AuditTiles {

    private static final byte[] NONE = {};

    private AuditTiles() {}

    static MerkleTree tree(ReadTx tx, TenantId tenant) {
        return new MerkleTree(tile -> tile(tx, tenant, tile));
    }

    static byte[] tile(ReadTx tx, TenantId tenant, MerkleTree.Tile tile) {
        return tx.find(Tables.AUDIT_TILES, new AuditTree.TileKey(tenant, tile)).orElse(NONE);
    }
}
