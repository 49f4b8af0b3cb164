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

    private static final int GENERATION = 8_192;
    private static final int LARGE_BODY_BYTES = 2048;

    private final Set<Table<?, ?>> tables;
    private volatile ConcurrentHashMap<RowRef<?, ?>, Object> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<RowRef<?, ?>, Object> old = new ConcurrentHashMap<>();
    private long changes;

    RowCache(Set<Table<?, ?>> tables) {
        this.tables = Set.copyOf(tables);
    }

    /**
     * A row after a commit.
     *
     * @param value empty when the row is gone or too large to keep
     */
    record Change(RowRef<?, ?> row, Optional<Object> value) {

        static Change to(RowRef<?, ?> row, @Nullable Object value, int bodyBytes) {
            return new Change(row, bodyBytes > LARGE_BODY_BYTES ? Optional.empty() : Optional.ofNullable(value));
        }
    }

    <V> Optional<V> find(RowRef<?, V> row, Function<RowRef<?, ?>, Optional<StoredRow>> load) {
        if (!tables.contains(row.table())) {
            return load.apply(row).map(stored -> row.table().decode().apply(stored.body()));
        }
        V kept = kept(row);
        return kept == null ? loaded(row, load) : Optional.of(kept);
    }

    synchronized void changed(List<Change> committed) {
        if (committed.isEmpty()) {
            return;
        }
        changes++;
        for (var change : committed) {
            old.remove(change.row());
            if (change.value().isPresent()) {
                put(change.row(), change.value().get());
            } else {
                young.remove(change.row());
            }
        }
    }

    // Values stand under the reference of their own table, so the cast cannot fail.
    @SuppressWarnings("unchecked")
    private <V> @Nullable V kept(RowRef<?, V> row) {
        Object value = young.get(row);
        if (value == null) {
            value = old.get(row);
        }
        return (V) value;
    }

    private <V> Optional<V> loaded(RowRef<?, V> row, Function<RowRef<?, ?>, Optional<StoredRow>> load) {
        long before = changes();
        var stored = load.apply(row);
        if (stored.isEmpty()) {
            return Optional.empty();
        }
        V value = row.table().decode().apply(stored.get().body());
        if (stored.get().body().length <= LARGE_BODY_BYTES) {
            keep(row, value, before);
        }
        return Optional.of(value);
    }

    private synchronized long changes() {
        return changes;
    }

    // A commit since the row was loaded may have changed it, and then what was loaded must not be kept.
    private synchronized void keep(RowRef<?, ?> row, Object value, long loadedAt) {
        if (changes == loadedAt) {
            put(row, value);
        }
    }

    private void put(RowRef<?, ?> row, Object value) {
        if (young.size() >= GENERATION) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
        young.put(row, value);
    }
}
