package dev.nonbis.core.audit;

import dev.nonbis.core.audit.MerkleTree.Tile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Adds leaves to a tree of tiles; only the last tile of each level changes. */
public final class MerkleGrowth {

    private final Function<Tile, byte[]> before;
    private final Map<Tile, byte[]> changed = new HashMap<>();
    private long size;

    public MerkleGrowth(long size, Function<Tile, byte[]> before) {
        this.size = size;
        this.before = before;
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
        return changed;
    }

    public byte[] root() {
        return new MerkleTree(this::tile).root(size);
    }

    private void append(int level, long index, byte[] hash) {
        var place = new Tile(level, index / MerkleTree.TILE_WIDTH);
        byte[] old = tile(place);
        byte[] grown = Arrays.copyOf(old, old.length + MerkleHash.BYTES);
        System.arraycopy(hash, 0, grown, old.length, MerkleHash.BYTES);
        changed.put(place, grown);
        if (grown.length == MerkleTree.TILE_WIDTH * MerkleHash.BYTES) {
            append(level + 1, place.index(), MerkleTree.fold(grown, 0, MerkleTree.TILE_WIDTH));
        }
    }

    private byte[] tile(Tile place) {
        var now = changed.get(place);
        return now == null ? before.apply(place) : now;
    }
}
