package dev.nonbis.core.store;

import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Move;
import dev.nonbis.core.store.Write.Update;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that are applied together. Each runs on the writes of those before it; one that throws leaves no write behind. A row changed
 * by many blocks becomes one write.
 */
final class Batch {

    private static final Comparator<Write> WRITE_ORDER = Comparator.comparingInt(
                    (Write w) -> w.row().table().order())
            .thenComparing(w -> w.row().key());

    private static final byte[] NO_BODY = {};
    private static final Entries NO_ENTRIES = new Entries(List.of());

    private final Rows rows;
    private final Map<RowRef<?, ?>, Slot> slots = new HashMap<>();
    private final List<RowRef<?, ?>> unencoded = new ArrayList<>();
    private final boolean trusting;
    private Optional<Batch> below;

    /**
     * A batch on top of another that is on its way to the disk, if there is one: its rows are taken to be as that one leaves them.
     *
     * @param trusting whether blocks may take a row to be absent because their callers found it so; it is checked when it is inserted
     */
    Batch(Rows rows, Optional<Batch> below, boolean trusting) {
        this.rows = rows;
        this.below = below;
        this.trusting = trusting;
    }

    /** Whether every row that was read is still as it was read. */
    boolean isCurrent() {
        var now = rows.fetch(List.copyOf(slots.keySet()));
        for (var read : slots.entrySet()) {
            var stored = now.get(read.getKey());
            if (read.getValue().version != (stored == null ? 0 : stored.version())) {
                return false;
            }
        }
        return true;
    }

    boolean isTrusting() {
        return trusting;
    }

    /** Every row that a block has asked for or written. */
    Set<RowRef<?, ?>> touched() {
        return Set.copyOf(slots.keySet());
    }

    boolean isKnown(RowRef<?, ?> row) {
        return known(row) != null;
    }

    /** Fetches together those of the rows that nobody has asked for yet. */
    void prefetch(Set<RowRef<?, ?>> wanted) {
        var missing = new ArrayList<RowRef<?, ?>>(wanted.size());
        for (var row : wanted) {
            if (known(row) == null) {
                missing.add(row);
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        var found = rows.fetch(missing);
        for (var row : missing) {
            slots.put(row, Slot.read(row.table(), found.get(row)));
        }
    }

    /** Lets go of the batch below, which is on the disk by now. */
    void forgetBelow() {
        below = Optional.empty();
    }

    <R> R run(Function<Tx, R> block) {
        var tx = new Tx(this);
        R result = block.apply(tx);
        tx.merge();
        return result;
    }

    @Nullable
    Object value(RowRef<?, ?> row) {
        var slot = known(row);
        if (slot == null) {
            slot = Slot.read(row.table(), rows.fetch(List.of(row)).get(row));
            slots.put(row, slot);
        }
        return slot.value;
    }

    private @Nullable Slot known(RowRef<?, ?> row) {
        var slot = slots.get(row);
        if (slot == null && below.isPresent()) {
            var under = below.get().slots.get(row);
            if (under != null) {
                slot = under.onceApplied();
                slots.put(row, slot);
            }
        }
        return slot;
    }

    boolean knownToExist(RowRef<?, ?> row) {
        var slot = known(row);
        return slot != null && slot.value != null;
    }

    void write(RowRef<?, ?> row, @Nullable Object value) {
        var slot = known(row);
        if (slot == null) {
            slot = Slot.unread();
            slots.put(row, slot);
        }
        slot.write(value);
        unencoded.add(row);
    }

    /**
     * Encodes what was written so far, so that there is less to do when the batch has to go. A row that was written again since the last
     * time, as a tenant's is by every block, will likely be once more: it waits for the end.
     */
    void encodeAhead() {
        for (var row : unencoded) {
            var slot = slots.get(row);
            if (slot != null && slot.encoded == null) {
                encode(row, slot);
            }
        }
        unencoded.clear();
    }

    /** The rows of these tables that it changes and that others may have seen before. */
    List<RowRef<?, ?>> changesOf(Set<Table<?, ?>> tables) {
        var changes = new ArrayList<RowRef<?, ?>>();
        slots.forEach((row, slot) -> {
            if (slot.dirty && slot.committed != null && tables.contains(row.table())) {
                changes.add(row);
            }
        });
        return changes;
    }

    List<Write> writes() {
        var writes = new ArrayList<Write>(slots.size());
        slots.forEach((row, slot) -> {
            if (slot.dirty) {
                encode(row, slot);
                addWrite(writes, row, slot);
            }
        });
        writes.sort(WRITE_ORDER);
        return writes;
    }

    private static <V> void addWrite(List<Write> writes, RowRef<?, V> row, Slot slot) {
        @SuppressWarnings("unchecked") // slots hold values of their row's table
        V before = (V) slot.committed;
        if (before == null && slot.value != null) {
            writes.add(new Insert(row, slot.body, slot.entries));
        } else if (before != null && slot.value == null) {
            writes.add(new Delete(row, slot.version, entries(row.table(), before)));
        } else if (before != null) {
            var moved = new Move(entries(row.table(), before), slot.entries);
            writes.add(new Update(row, slot.version, slot.body, moved));
        }
    }

    private static <V> void encode(RowRef<?, V> row, Slot slot) {
        @SuppressWarnings("unchecked") // slots hold values of their row's table
        V value = (V) slot.value;
        if (value != null && value != slot.encoded) {
            slot.body = row.table().encode().apply(value);
            slot.entries = entries(row.table(), value);
            slot.encoded = value;
        }
    }

    private static <V> Entries entries(Table<?, V> table, V value) {
        var all = new ArrayList<Set<String>>(table.indexes().size());
        for (var index : table.indexes()) {
            all.add(index.entries().apply(value));
        }
        return new Entries(all);
    }

    /** What the batch knows of one row: as committed, and as the blocks so far have left it. */
    private static final class Slot {

        final long version;
        final @Nullable Object committed;

        @Nullable
        Object value;

        boolean dirty;
        // The value that the body and the entries below were made of.
        @Nullable
        Object encoded;

        byte[] body = NO_BODY;
        Entries entries = NO_ENTRIES;

        private Slot(long version, @Nullable Object committed) {
            this.version = version;
            this.committed = committed;
            this.value = committed;
        }

        static Slot read(Table<?, ?> table, @Nullable StoredRow row) {
            return row == null
                    ? new Slot(0, null)
                    : new Slot(row.version(), table.decode().apply(row.body()));
        }

        /** Written without having been read: the back end finds out whether the key was free. */
        static Slot unread() {
            return new Slot(0, null);
        }

        /** The row as it will be once this batch is applied; inserting makes a first version, updating the next. */
        Slot onceApplied() {
            return new Slot(value == null ? 0 : dirty ? version + 1 : version, value);
        }

        void write(@Nullable Object newValue) {
            value = newValue;
            dirty = true;
        }
    }
}
