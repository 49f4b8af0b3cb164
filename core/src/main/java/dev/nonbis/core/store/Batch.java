package dev.nonbis.core.store;

import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Move;
import dev.nonbis.core.store.Write.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Blocks that are applied together. Each runs on the writes of those before it; one that throws leaves no write behind. A row changed
 * by many blocks becomes one write.
 */
final class Batch {

    private final Rows rows;
    private final Map<RowRef<?, ?>, Slot> slots = new HashMap<>();
    private final List<Slot> changed = new ArrayList<>();
    private final boolean trusting;

    /**
     * A batch of which no block has run yet.
     *
     * @param trusting whether blocks may take a row to be absent because their callers found it so; it is checked when it is inserted
     */
    Batch(Rows rows, boolean trusting) {
        this.rows = rows;
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
        return slots.containsKey(row);
    }

    /** Fetches together those of the rows that nobody has asked for yet. */
    void prefetch(Set<RowRef<?, ?>> wanted) {
        var missing = new ArrayList<RowRef<?, ?>>(wanted.size());
        for (var row : wanted) {
            if (!slots.containsKey(row)) {
                missing.add(row);
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        var found = rows.fetch(missing);
        for (var row : missing) {
            slots.put(row, Slot.read(row, found.get(row)));
        }
    }

    <R> R run(Function<Tx, R> block) {
        var tx = new Tx(this);
        try {
            R result = block.apply(tx);
            tx.keepWrites();
            return result;
        } catch (RuntimeException | Error failed) {
            tx.dropWrites();
            throw failed;
        }
    }

    /** The row, fetched unless it is known. */
    Slot read(RowRef<?, ?> row) {
        var slot = slots.get(row);
        if (slot == null) {
            slot = Slot.read(row, rows.fetch(List.of(row)).get(row));
            slots.put(row, slot);
        }
        return slot;
    }

    /** The row as far as it is known without asking the database. */
    Slot unread(RowRef<?, ?> row) {
        return slots.computeIfAbsent(row, Slot::unread);
    }

    void keep(Slot written) {
        if (written.keep()) {
            changed.add(written);
        }
    }

    void drop(Slot written) {
        if (written.drop()) {
            slots.remove(written.row);
        }
    }

    /** The rows of these tables that it changes and that others may have seen before. */
    List<RowRef<?, ?>> changesOf(Set<Table<?, ?>> tables) {
        var changes = new ArrayList<RowRef<?, ?>>();
        for (var slot : changed) {
            if (slot.committed != null && tables.contains(slot.row.table())) {
                changes.add(slot.row);
            }
        }
        return changes;
    }

    /** One write for each row that the blocks have changed, encoded as the last of them left it. */
    List<Write> writes() {
        changed.sort(Batch::inOrder);
        var writes = new ArrayList<Write>(changed.size());
        for (var slot : changed) {
            addWrite(writes, slot.row, slot);
        }
        return writes;
    }

    private static int inOrder(Slot one, Slot other) {
        int byTable = Integer.compare(one.row.table().order(), other.row.table().order());
        return byTable == 0 ? one.row.key().compareTo(other.row.key()) : byTable;
    }

    @SuppressWarnings("unchecked") // slots hold values of their row's table
    private static <V> void addWrite(List<Write> writes, RowRef<?, V> row, Slot slot) {
        var table = row.table();
        V before = (V) slot.committed;
        V after = (V) slot.value();
        if (after == null) {
            if (before != null) {
                writes.add(new Delete(row, slot.version, entries(table, before)));
            }
            return;
        }
        byte[] body = table.encode().apply(after);
        if (before == null) {
            writes.add(new Insert(row, body, entries(table, after)));
        } else {
            writes.add(new Update(row, slot.version, body, new Move(entries(table, before), entries(table, after))));
        }
    }

    private static <V> Entries entries(Table<?, V> table, V value) {
        var all = new ArrayList<Set<String>>(table.indexes().size());
        for (var index : table.indexes()) {
            all.add(index.entries().apply(value));
        }
        return new Entries(all);
    }
}
