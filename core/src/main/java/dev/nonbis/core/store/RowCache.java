package dev.nonbis.core.store;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The committed rows of some tables that were used last. It hears of every commit before the commit's callers do, so it never tells
 * less than they know; this holds only where every commit passes through it.
 *
 * <p>Two generations: when the young one is full it becomes the old one and the old one is dropped, so what is used stays.
 */
final class RowCache {

    private static final int GENERATION_BYTES = 8 << 20;
    // The map's node, the row's name, and the headers of the arrays.
    private static final int OVERHEAD_BYTES = 160;
    // One in so many rows that were looked up is kept: what is asked for often gets in soon, what is asked for once
    // rarely.
    private static final int KEPT_OF_LOADED = 16;
    private static final int LARGE_BODY_BYTES = 2048;

    // Bodies, not values: they take half the room.
    private volatile ConcurrentHashMap<RowRef<?, ?>, byte[]> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<RowRef<?, ?>, byte[]> old = new ConcurrentHashMap<>();
    private final Set<Table<?, ?>> tables;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong changes = new AtomicLong();
    private int youngBytes;
    private int loads;

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

    void changed(List<Change> committed) {
        if (committed.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            changes.incrementAndGet();
            committed.forEach(this::take);
        } finally {
            lock.unlock();
        }
    }

    private void take(Change change) {
        old.remove(change.row());
        young.remove(change.row());
        change.body().ifPresent(body -> {
            if (isSmall(body)) {
                put(change.row(), body);
            }
        });
    }

    private byte @Nullable [] kept(RowRef<?, ?> row) {
        byte[] body = young.get(row);
        return body == null ? old.get(row) : body;
    }

    private static boolean isSmall(byte[] body) {
        return body.length <= LARGE_BODY_BYTES;
    }

    private <V> Optional<V> loaded(RowRef<?, V> row, Function<RowRef<?, ?>, Optional<StoredRow>> load) {
        long before = changes.get();
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

    // A commit since the row was loaded may have changed it, and then what was loaded must not be kept. Nor is it worth
    // waiting for.
    private void keep(RowRef<?, ?> row, byte[] body, long loadedAt) {
        // Whether threads count over each other does not matter.
        if (loads++ % KEPT_OF_LOADED == 0 && lock.tryLock()) {
            try {
                if (changes.get() == loadedAt) {
                    put(row, body);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void put(RowRef<?, ?> row, byte[] body) {
        if (youngBytes >= GENERATION_BYTES) {
            old = young;
            young = new ConcurrentHashMap<>();
            youngBytes = 0;
        }
        young.put(row, body);
        youngBytes += OVERHEAD_BYTES + row.key().length() + body.length;
    }
}
