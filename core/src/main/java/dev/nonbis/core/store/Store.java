package dev.nonbis.core.store;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Durable state: one way to change it and one way to look at it. */
public interface Store extends AutoCloseable {

    /**
     * Runs the block as one durable transaction and returns its result once that is on disk. The block may run more than once, so it
     * touches its {@link Tx} and nothing else. When it throws, nothing of it is applied.
     *
     * @param reads rows that the block will probably ask for, so that they can be fetched together with others'
     * @throws StoreUnavailable when the database failed
     */
    <R> R transact(List<RowRef<?, ?>> reads, Function<Tx, R> block);

    default <R> R transact(Function<Tx, R> block) {
        return transact(List.of(), block);
    }

    /** One committed row, as it is at some instant during the call; cheaper than {@link #read} where one is all that is asked for. */
    <K, V> Optional<V> find(Table<K, V> table, K key);

    /** Runs the block on one consistent state of committed rows. */
    <R> R read(Function<ReadTx, R> block);

    @Override
    void close();
}
