package dev.nonbis.core.store;

import java.util.ArrayList;
import java.util.List;
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
    private final List<Slot> written = new ArrayList<>();

    Tx(Batch batch) {
        this.batch = batch;
    }

    public <K, V> Optional<V> find(Table<K, V> table, K key) {
        return Optional.ofNullable(value(table.row(key)));
    }

    /**
     * A row that the caller has just found to be absent, as far as this transaction knows without asking the database. If it is there after
     * all, inserting it fails the transaction's first run, and the next one asks.
     */
    public <K, V> Optional<V> findUnlessAbsent(Table<K, V> table, K key) {
        var row = table.row(key);
        if (batch.isTrusting() && !batch.isKnown(row)) {
            return Optional.empty();
        }
        return Optional.ofNullable(value(row));
    }

    /** The row must be there: its absence is our mistake. */
    public <K, V> V get(Table<K, V> table, K key) {
        return find(table, key)
                .orElseThrow(() -> new IllegalStateException(
                        "no " + table + " row " + table.keyText().apply(key)));
    }

    /** Adds a row under a key that nobody has used. Nothing is read; if the key is taken after all, the transaction fails. */
    public <K, V> void insert(Table<K, V> table, K key, V value) {
        var slot = batch.unread(table.row(key));
        if (slot.value() != null) {
            throw new IllegalStateException("row exists already: " + slot.row);
        }
        write(slot, value);
    }

    /** Replaces a row that this transaction has read. */
    public <K, V> void update(Table<K, V> table, K key, V value) {
        var slot = batch.read(table.row(key));
        if (slot.value() == null) {
            throw new IllegalStateException("no row to update: " + slot.row);
        }
        write(slot, value);
    }

    /** Adds or replaces a row, reading it first. */
    public <K, V> void put(Table<K, V> table, K key, V value) {
        write(batch.read(table.row(key)), value);
    }

    public <K, V> void delete(Table<K, V> table, K key) {
        var slot = batch.read(table.row(key));
        if (slot.value() == null) {
            throw new IllegalStateException("no row to delete: " + slot.row);
        }
        write(slot, null);
    }

    /** Whether anything has been written so far. */
    public boolean hasWrites() {
        return !written.isEmpty();
    }

    /** Leaves the block's writes to those behind it; called once, when the block has returned. */
    void keepWrites() {
        written.forEach(batch::keep);
    }

    /** Takes back all that the block has written, because it has failed. */
    void dropWrites() {
        written.forEach(batch::drop);
    }

    private void write(Slot slot, @Nullable Object value) {
        if (slot.write(value)) {
            written.add(slot);
        }
    }

    // A slot has values of its row's table, so the cast cannot fail.
    @SuppressWarnings("unchecked")
    private <V> @Nullable V value(RowRef<?, V> row) {
        return (V) batch.read(row).value();
    }
}
