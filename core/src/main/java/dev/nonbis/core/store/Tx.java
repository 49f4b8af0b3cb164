package dev.nonbis.core.store;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One block's unit of work: reads see the writes before them, and nothing leaves it before the batch is applied.
 *
 * <p>Writes are applied in the order of {@link Table#order}: key, tenant, admission, job, run, workflow,
 * nonce, budget, payment, approval, audit, message, result. Range queries are
 * deliberately absent: they live in {@link ReadTx}, and what a loop found there is settled here by key.
 */
public final class Tx {

    private final Batch batch;
    // The block's own writes; a null value is a deleted row.
    private final Map<RowRef<?, ?>, @Nullable Object> writes = new HashMap<>();

    Tx(Batch batch) {
        this.batch = batch;
    }

    public <K, V> Optional<V> find(Table<K, V> table, K key) {
        return Optional.ofNullable(current(table.row(key)));
    }

    /**
     * A row that the caller has just found to be absent, as far as this transaction knows without asking the database. If it is there after
     * all, inserting it fails the transaction's first run, and the next one asks.
     */
    public <K, V> Optional<V> findUnlessAbsent(Table<K, V> table, K key) {
        var row = table.row(key);
        if (batch.isTrusting() && !writes.containsKey(row) && !batch.isKnown(row)) {
            return Optional.empty();
        }
        return find(table, key);
    }

    /** The row must be there: its absence is our mistake. */
    public <K, V> V get(Table<K, V> table, K key) {
        return find(table, key)
                .orElseThrow(() -> new IllegalStateException(
                        "no " + table + " row " + table.keyText().apply(key)));
    }

    /** Adds a row under a key that nobody has used. Nothing is read; if the key is taken after all, the transaction fails. */
    public <K, V> void insert(Table<K, V> table, K key, V value) {
        var row = table.row(key);
        if (writes.containsKey(row) ? writes.get(row) != null : batch.knownToExist(row)) {
            throw new IllegalStateException("row exists already: " + row);
        }
        writes.put(row, value);
    }

    /** Replaces a row that this transaction has read. */
    public <K, V> void update(Table<K, V> table, K key, V value) {
        var row = table.row(key);
        if (current(row) == null) {
            throw new IllegalStateException("no row to update: " + row);
        }
        writes.put(row, value);
    }

    /** Adds or replaces a row, reading it first. */
    public <K, V> void put(Table<K, V> table, K key, V value) {
        var row = table.row(key);
        current(row);
        writes.put(row, value);
    }

    public <K, V> void delete(Table<K, V> table, K key) {
        var row = table.row(key);
        if (current(row) == null) {
            throw new IllegalStateException("no row to delete: " + row);
        }
        writes.put(row, null);
    }

    /** Whether anything has been written so far. */
    public boolean hasWrites() {
        return !writes.isEmpty();
    }

    /** Hands the block's writes to the batch; called once, when the block has returned. */
    void merge() {
        writes.forEach(batch::write);
    }

    // The batch keeps values under the reference of their own table, so the cast cannot fail.
    @SuppressWarnings("unchecked")
    private <V> @Nullable V current(RowRef<?, V> row) {
        return (V) (writes.containsKey(row) ? writes.get(row) : batch.value(row));
    }
}
