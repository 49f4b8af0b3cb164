package dev.nonbis.bench.sim;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tx;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A store whose transactions overlap: one that is left in the middle keeps no other out, and the versions of rows decide who runs again. */
final class SteppedStore implements Store {

    private final Backend backend;

    SteppedStore(Backend backend) {
        this.backend = backend;
    }

    @Override
    public <R> R transact(List<RowRef<?, ?>> reads, Function<Tx, R> block) {
        return alone().transact(reads, block);
    }

    @Override
    public <K, V> Optional<V> find(Table<K, V> table, K key) {
        return alone().find(table, key);
    }

    @Override
    public <R> R read(Function<ReadTx, R> block) {
        return alone().read(block);
    }

    @Override
    public void close() {}

    // A direct store lets in one caller at a time, so each caller has its own.
    private DirectStore alone() {
        return new DirectStore(backend);
    }
}
