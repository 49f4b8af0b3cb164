package dev.nonbis.core.store;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A store that applies each block by itself on the caller's thread: for the simulator and for tools that work alone. */
public final class DirectStore implements Store {

    private static final int MAX_TRIES = 100;

    private final Backend backend;

    public DirectStore(Backend backend) {
        this.backend = backend;
    }

    @Override
    public synchronized <R> R transact(List<RowRef<?, ?>> reads, Function<Tx, R> block) {
        for (int i = 1; ; i++) {
            var batch = new Batch(backend::fetch, false);
            try {
                batch.prefetch(new LinkedHashSet<>(reads));
                R result = batch.run(block);
                var writes = batch.writes();
                if (!writes.isEmpty()) {
                    backend.apply(writes);
                }
                return result;
            } catch (WriteConflict conflict) {
                refuseAfterLast(i, conflict);
            } catch (IllegalStateException unexpected) {
                // Rows that were fetched one after another may not fit together, where others write meanwhile.
                if (batch.isCurrent()) {
                    throw unexpected;
                }
                refuseAfterLast(i, unexpected);
            }
        }
    }

    private static void refuseAfterLast(int tries, RuntimeException why) {
        if (tries == MAX_TRIES) {
            throw new IllegalStateException("a transaction conflicts with itself: " + why.getMessage(), why);
        }
    }

    @Override
    public <K, V> Optional<V> find(Table<K, V> table, K key) {
        return backend.get(table.row(key)).map(table::read);
    }

    @Override
    public <R> R read(Function<ReadTx, R> block) {
        return backend.read(snapshot -> block.apply(new ReadTx(snapshot)));
    }

    @Override
    public void close() {
        backend.close();
    }
}
