package dev.nonbis.core.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The tree of RFC 9162, section 2.1, over digests that are kept in tiles. A tile holds up to 256 neighbouring nodes of every eighth level,
 * so that any node is at most one tile away, and any root or proof reads a handful of them however long the log is.
 */
public final class MerkleTree {

    static final int TILE_HEIGHT = 8;
    static final int TILE_WIDTH = 1 << TILE_HEIGHT;

    private final Function<Tile, byte[]> tiles;

    /** @param tiles the nodes of a tile that are complete, one after another; none for a tile that is not there yet */
    public MerkleTree(Function<Tile, byte[]> tiles) {
        this.tiles = tiles;
    }

    /** A tile's place: the nodes {@code index * 256} and following of level {@code level * 8}. */
    public record Tile(int level, long index) {}

    /** MTH(D_n). */
    public byte[] root(long size) {
        return size == 0 ? MerkleHash.empty() : range(0, size);
    }

    /** The roots of the complete subtrees that a tree of this size is made of, the largest first. */
    public List<byte[]> subtrees(long size) {
        var roots = new ArrayList<byte[]>();
        long begin = 0;
        for (long rest = size; rest > 0; rest -= Long.highestOneBit(rest)) {
            long count = Long.highestOneBit(rest);
            roots.add(range(begin, begin + count));
            begin += count;
        }
        return roots;
    }

    /** PATH(m, D_n): what is needed to get from the leaf to the root, from the bottom to the top. */
    public List<byte[]> inclusion(long leaf, long size) {
        if (leaf < 0 || leaf >= size) {
            throw new IllegalArgumentException("no leaf " + leaf + " in a tree of " + size);
        }
        var path = new ArrayList<byte[]>();
        path(leaf, 0, size, path);
        return path;
    }

    /** PROOF(m, D_n): what is needed to see that the tree of the first size is the beginning of the second. */
    public List<byte[]> consistency(long from, long to) {
        if (from < 1 || from > to) {
            throw new IllegalArgumentException("a tree of " + from + " is not the beginning of one of " + to);
        }
        var proof = new ArrayList<byte[]>();
        subproof(from, 0, to, true, proof);
        return proof;
    }

    private void path(long leaf, long begin, long end, List<byte[]> path) {
        if (end - begin == 1) {
            return;
        }
        long middle = begin + split(end - begin);
        if (leaf < middle) {
            path(leaf, begin, middle, path);
            path.add(range(middle, end));
        } else {
            path(leaf, middle, end, path);
            path.add(range(begin, middle));
        }
    }

    private void subproof(long from, long begin, long end, boolean known, List<byte[]> proof) {
        if (from == end) {
            if (!known) {
                proof.add(range(begin, end));
            }
            return;
        }
        long middle = begin + split(end - begin);
        if (from <= middle) {
            subproof(from, begin, middle, known, proof);
            proof.add(range(middle, end));
        } else {
            subproof(from, middle, end, false, proof);
            proof.add(range(begin, middle));
        }
    }

    /** The root over some leaves, which begin where the RFC's recursion may begin: at a multiple of their largest power of two. */
    private byte[] range(long begin, long end) {
        long count = end - begin;
        if (Long.bitCount(count) == 1) {
            int level = Long.numberOfTrailingZeros(count);
            return node(level, begin >> level);
        }
        long middle = begin + split(count);
        return MerkleHash.node(range(begin, middle), range(middle, end));
    }

    private byte[] node(int level, long index) {
        int within = level % TILE_HEIGHT;
        long first = index << within;
        byte[] tile = tiles.apply(new Tile(level / TILE_HEIGHT, first / TILE_WIDTH));
        return fold(tile, (int) (first % TILE_WIDTH), 1 << within);
    }

    /** The root over some neighbouring nodes of a tile; their number is a power of two. */
    static byte[] fold(byte[] tile, int first, int count) {
        if (count == 1) {
            int at = first * MerkleHash.BYTES;
            if (at + MerkleHash.BYTES > tile.length) {
                throw new IllegalStateException("a node that the tree must have is not in its tile");
            }
            return Arrays.copyOfRange(tile, at, at + MerkleHash.BYTES);
        }
        int half = count / 2;
        return MerkleHash.node(fold(tile, first, half), fold(tile, first + half, half));
    }

    /** The largest power of two that is smaller than this. */
    private static long split(long count) {
        return Long.highestOneBit(count - 1);
    }
}
