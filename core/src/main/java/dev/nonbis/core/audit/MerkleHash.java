package dev.nonbis.core.audit;

import dev.nonbis.json.Sha256;

/** The two digests of RFC 9162, section 2.1.1, kept apart by their first byte so that a leaf can never pass for a node. */
public final class MerkleHash {

    static final int BYTES = 32;

    private static final byte[] LEAF = {0};
    private static final byte[] NODE = {1};

    private MerkleHash() {}

    public static byte[] leaf(byte[] entry) {
        return Sha256.of(LEAF, entry);
    }

    public static byte[] node(byte[] left, byte[] right) {
        return Sha256.of(NODE, left, right);
    }

    /** The root of a tree without leaves. */
    public static byte[] empty() {
        return Sha256.of();
    }
}
