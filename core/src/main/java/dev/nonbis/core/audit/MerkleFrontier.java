package dev.nonbis.core.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A growing tree's right edge: enough to know its root at every size, in space that grows with the logarithm. */
public final class MerkleFrontier {

    // The roots of the complete subtrees that make up the tree, the largest first: one for each bit of the size.
    private final List<byte[]> subtrees;
    private long size;

    public MerkleFrontier() {
        this(new ArrayList<>(), 0);
    }

    private MerkleFrontier(List<byte[]> subtrees, long size) {
        this.subtrees = subtrees;
        this.size = size;
    }

    /** The right edge of a tree that has this size already; empty when no tree of that size has so many parts. */
    public static Optional<MerkleFrontier> of(List<byte[]> subtrees, long size) {
        return size >= 0 && Long.bitCount(size) == subtrees.size()
                ? Optional.of(new MerkleFrontier(new ArrayList<>(subtrees), size))
                : Optional.empty();
    }

    public MerkleFrontier copy() {
        return new MerkleFrontier(new ArrayList<>(subtrees), size);
    }

    public void add(byte[] leafHash) {
        byte[] hash = leafHash;
        for (long bits = size; (bits & 1) == 1; bits >>= 1) {
            hash = MerkleHash.node(subtrees.removeLast(), hash);
        }
        subtrees.add(hash);
        size++;
    }

    public long size() {
        return size;
    }

    public byte[] root() {
        if (subtrees.isEmpty()) {
            return MerkleHash.empty();
        }
        byte[] hash = subtrees.getLast();
        for (int i = subtrees.size() - 2; i >= 0; i--) {
            hash = MerkleHash.node(subtrees.get(i), hash);
        }
        return hash;
    }
}
