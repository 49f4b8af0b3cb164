package dev.nonbis.core.store;

import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Update;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

    private final Backend backend;
    private final Map<RowRef<?, ?>, Slot> slots = new HashMap<>();

    Batch(Backend backend) {
        this.backend = backend;
    }

    void prefetch(Set<RowRef<?, ?>> rows) {
        var found = backend.fetch(rows);
        for (var row : rows) {
            slots.put(row, Slot.read(row.table(), found.get(row)));
        }
    }

    <R> R run(Function<Tx, R> block) {
        var tx = new Tx(this);
        R result = block.apply(tx);
        tx.merge();
        return result;
    }

    @Nullable
    Object value(RowRef<?, ?> row) {
        var slot = slots.get(row);
        if (slot == null) {
            slot = Slot.read(row.table(), backend.fetch(List.of(row)).get(row));
            slots.put(row, slot);
        }
        return slot.value;
    }

    boolean knownToExist(RowRef<?, ?> row) {
        var slot = slots.get(row);
        return slot != null && slot.value != null;
    }

    void write(RowRef<?, ?> row, @Nullable Object value) {
        slots.computeIfAbsent(row, r -> Slot.unread()).write(value);
    }

    List<Write> writes() {
        var writes = new ArrayList<Write>(slots.size());
        slots.forEach((row, slot) -> {
            if (slot.dirty) {
                addWrite(writes, row, slot);
            }
        });
        writes.sort(WRITE_ORDER);
        return writes;
    }

    private static <V> void addWrite(List<Write> writes, RowRef<?, V> row, Slot slot) {
        Table<?, V> table = row.table();
        @SuppressWarnings("unchecked") // slots hold values of their row's table
        V before = (V) slot.committed;
        @SuppressWarnings("unchecked")
        V after = (V) slot.value;
        if (before == null && after != null) {
            writes.add(new Insert(row, table.encode().apply(after), entries(table, after)));
        } else if (before != null && after == null) {
            writes.add(new Delete(row, slot.version, entries(table, before)));
        } else if (before != null && after != null) {
            var removed = entries(table, before);
            var added = entries(table, after);
            writes.add(new Update(
                    row, slot.version, table.encode().apply(after), minus(removed, added), minus(added, removed)));
        }
    }

    private static <V> Entries entries(Table<?, V> table, V value) {
        var all = new ArrayList<Set<String>>(table.indexes().size());
        for (var index : table.indexes()) {
            all.add(index.entries().apply(value));
        }
        return new Entries(all);
    }

    private static Entries minus(Entries some, Entries others) {
        var left = new ArrayList<Set<String>>(some.byIndex().size());
        for (int i = 0; i < some.byIndex().size(); i++) {
            var set = new HashSet<>(some.byIndex().get(i));
            set.removeAll(others.byIndex().get(i));
            left.add(set);
        }
        return new Entries(left);
    }

    /** What the batch knows of one row: as committed, and as the blocks so far have left it. */
    private static final class Slot {

        final long version;
        final @Nullable Object committed;

        @Nullable
        Object value;

        boolean dirty;

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

        void write(@Nullable Object newValue) {
            value = newValue;
            dirty = true;
        }
    }
}
