package dev.nonbis.core.store;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The committed rows of some tables that were used last. It hears of every commit before the commit's callers do, so it never tells
 * less than they know; this holds only where every commit passes through it.
 *
 * <p>Two generations: when the young one is full it becomes the old one and the old one is dropped, so what is used stays.
 */
final class RowCache {

    private static final int GENERATION = 24_576;
    private static final int LARGE_BODY_BYTES = 2048;

    private final Set<Table<?, ?>> tables;
    // Bodies, not values: they take half the room.
    private volatile ConcurrentHashMap<RowRef<?, ?>, byte[]> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<RowRef<?, ?>, byte[]> old = new ConcurrentHashMap<>();
    private long changes;

    RowCache(Set<Table<?, ?>> tables) {
        this.tables = Set.copyOf(tables);
    }

    /**
     * A row after a commit.
     *
     * @param body empty when the row is gone
     */
    record Change(RowRef<?, ?> row, Optional<byte[]> body) {}

    <V> Optional<V> find(RowRef<?, V> row, Function<RowRef<?, ?>, Optional<StoredRow>> load) {
        if (!tables.contains(row.table())) {
            return load.apply(row).map(stored -> row.table().decode().apply(stored.body()));
        }
        byte[] kept = kept(row);
        return kept == null
                ? loaded(row, load)
                : Optional.of(row.table().decode().apply(kept));
    }

    synchronized void changed(List<Change> committed) {
        if (committed.isEmpty()) {
            return;
        }
        changes++;
        for (var change : committed) {
            old.remove(change.row());
            young.remove(change.row());
            change.body().filter(RowCache::isSmall).ifPresent(body -> put(change.row(), body));
        }
    }

    private byte @Nullable [] kept(RowRef<?, ?> row) {
        byte[] body = young.get(row);
        return body == null ? old.get(row) : body;
    }

    private static boolean isSmall(byte[] body) {
        return body.length <= LARGE_BODY_BYTES;
    }

    private <V> Optional<V> loaded(RowRef<?, V> row, Function<RowRef<?, ?>, Optional<StoredRow>> load) {
        long before = changes();
        var stored = load.apply(row);
        if (stored.isEmpty()) {
            return Optional.empty();
        }
        byte[] body = stored.get().body();
        if (isSmall(body)) {
            keep(row, body, before);
        }
        return Optional.of(row.table().decode().apply(body));
    }

    private synchronized long changes() {
        return changes;
    }

    // A commit since the row was loaded may have changed it, and then what was loaded must not be kept.
    private synchronized void keep(RowRef<?, ?> row, byte[] body, long loadedAt) {
        if (changes == loadedAt) {
            put(row, body);
        }
    }

    private void put(RowRef<?, ?> row, byte[] body) {
        if (young.size() >= GENERATION) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
        young.put(row, body);
    }
}
