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
 * The committed rows of some tables that were asked for more than once lately. It hears of every commit before the commit's callers do, so it
 * never tells less than they know; this holds only where every commit passes through it. What is new is not kept: most of it is never asked
 * for, and what lives long costs the collector.
 *
 * <p>Two generations: when the young one is full it becomes the old one and the old one is dropped, so what is used stays.
 */
final class RowCache {

    private static final int GENERATION_BYTES = 8 << 20;
    // The map's node, the row's name, and the headers of the arrays.
    private static final int OVERHEAD_BYTES = 160;
    private static final int LARGE_BODY_BYTES = 2048;
    private static final int REMEMBERED = 1 << 16;
    private static final int SPREAD = 0x9e3779b9;

    // Bodies, not values: they take half the room.
    private volatile ConcurrentHashMap<RowRef<?, ?>, byte[]> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<RowRef<?, ?>, byte[]> old = new ConcurrentHashMap<>();
    private final Set<Table<?, ?>> tables;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong changes = new AtomicLong();
    // The names that were asked for last, as numbers. What threads overwrite for each other is only remembered later.
    private final int[] asked = new int[REMEMBERED];
    private int youngBytes;

    RowCache(Set<Table<?, ?>> tables) {
        this.tables = Set.copyOf(tables);
    }

    <V> Optional<V> find(RowRef<?, V> row, Function<RowRef<?, ?>, Optional<StoredRow>> load) {
        if (!tables.contains(row.table())) {
            return load.apply(row).map(row.table()::read);
        }
        byte[] kept = kept(row);
        return kept == null ? loaded(row, load) : Optional.of(row.table().read(row.key(), kept));
    }

    /** These rows are no longer as they were. */
    void changed(List<RowRef<?, ?>> committed) {
        if (committed.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            changes.incrementAndGet();
            for (var row : committed) {
                old.remove(row);
                young.remove(row);
            }
        } finally {
            lock.unlock();
        }
    }

    private byte @Nullable [] kept(RowRef<?, ?> row) {
        byte[] body = young.get(row);
        return body == null ? old.get(row) : body;
    }

    private <V> Optional<V> loaded(RowRef<?, V> row, Function<RowRef<?, ?>, Optional<StoredRow>> load) {
        long before = changes.get();
        var stored = load.apply(row);
        if (stored.isEmpty()) {
            return Optional.empty();
        }
        byte[] body = stored.get().body();
        if (body.length <= LARGE_BODY_BYTES && wasAsked(row)) {
            keep(row, body, before);
        }
        return Optional.of(row.table().read(stored.get()));
    }

    /** Whether it was asked for lately; from now on it was. */
    private boolean wasAsked(RowRef<?, ?> row) {
        int number = row.hashCode() * SPREAD;
        int place = number >>> 16;
        boolean was = asked[place] == number;
        asked[place] = number;
        return was;
    }

    // A commit since the row was loaded may have changed it, and then what was loaded must not be kept. Nor is it worth
    // waiting for.
    private void keep(RowRef<?, ?> row, byte[] body, long loadedAt) {
        if (lock.tryLock()) {
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
