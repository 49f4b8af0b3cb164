package dev.nonbis.core.audit;

import dev.nonbis.core.audit.MerkleTree.Tile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Adds leaves to a tree of tiles; only the last tile of each level changes. */
public final class MerkleGrowth {

    private static final int TILE_BYTES = MerkleTree.TILE_WIDTH * MerkleHash.BYTES;

    private final Function<Tile, byte[]> before;
    private final Map<Tile, Growing> changed = new HashMap<>();
    private long size;

    public MerkleGrowth(long size, Function<Tile, byte[]> before) {
        this.size = size;
        this.before = before;
    }

    /** A tile with room for all its nodes, so that a thousand leaves do not copy it a thousand times. */
    private static final class Growing {

        private final byte[] nodes;
        private int length;

        Growing(byte[] old) {
            nodes = Arrays.copyOf(old, TILE_BYTES);
            length = old.length;
        }

        void add(byte[] hash) {
            System.arraycopy(hash, 0, nodes, length, MerkleHash.BYTES);
            length += MerkleHash.BYTES;
        }

        boolean isFull() {
            return length == TILE_BYTES;
        }

        byte[] toBytes() {
            return Arrays.copyOf(nodes, length);
        }
    }

    public void add(byte[] leafHash) {
        append(0, size, leafHash);
        size++;
    }

    public long size() {
        return size;
    }

    /** The tiles that are no longer as they were. */
    public Map<Tile, byte[]> changed() {
        var tiles = new HashMap<Tile, byte[]>();
        changed.forEach((place, tile) -> tiles.put(place, tile.toBytes()));
        return tiles;
    }

    public byte[] root() {
        return new MerkleTree(this::tile).root(size);
    }

    private void append(int level, long index, byte[] hash) {
        var place = new Tile(level, index / MerkleTree.TILE_WIDTH);
        var tile = changed.computeIfAbsent(place, last -> new Growing(before.apply(last)));
        tile.add(hash);
        if (tile.isFull()) {
            append(level + 1, place.index(), MerkleTree.fold(tile.nodes, 0, MerkleTree.TILE_WIDTH));
        }
    }

    private byte[] tile(Tile place) {
        var now = changed.get(place);
        return now == null ? before.apply(place) : now.toBytes();
    }
}
