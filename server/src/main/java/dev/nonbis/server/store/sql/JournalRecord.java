package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import dev.nonbis.core.store.Write.Expect;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Move;
import dev.nonbis.core.store.Write.Update;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The writes of one batch as bytes. It names its tables and their indexes, so that a later server reads it as it was meant. */
final class JournalRecord {

    private static final byte INSERT = 1;
    private static final byte UPDATE = 2;
    private static final byte DELETE = 3;

    private JournalRecord() {}

    /** Adds the writes behind what is in the buffer; rows that are only expected to be as they are change nothing and are left out. */
    static void encode(List<Write> writes, JournalBuffer into) {
        // They are few, and each is one object.
        var tables = new ArrayList<Table<?, ?>>();
        for (var write : writes) {
            if (!tables.contains(write.row().table())) {
                tables.add(write.row().table());
            }
        }
        into.putInt(tables.size());
        for (var table : tables) {
            putTable(table, into);
        }
        into.putInt((int)
                writes.stream().filter(write -> !(write instanceof Expect)).count());
        for (var write : writes) {
            put(write, tables, into);
        }
    }

    private static void putTable(Table<?, ?> table, JournalBuffer into) {
        into.putText(table.name());
        into.putInt(table.indexes().size());
        for (var index : table.indexes()) {
            into.putText(index.name());
            into.putByte((byte) (index.single() ? 1 : 0));
        }
    }

    private static void put(Write write, List<Table<?, ?>> tables, JournalBuffer into) {
        switch (write) {
            case Insert(var row, var body, var added) -> {
                putHead(INSERT, row, tables, into);
                into.putBytes(body);
                putEntries(added, into);
            }
            case Update(var row, var version, var body, var moved) -> {
                putHead(UPDATE, row, tables, into);
                into.putLong(version);
                into.putBytes(body);
                putEntries(moved.from(), into);
                putEntries(moved.to(), into);
            }
            case Delete(var row, var version, var removed) -> {
                putHead(DELETE, row, tables, into);
                into.putLong(version);
                putEntries(removed, into);
            }
            case Expect expect -> {
                // Whoever wrote the record has found it so.
            }
        }
    }

    private static void putHead(byte kind, RowRef<?, ?> row, List<Table<?, ?>> tables, JournalBuffer into) {
        into.putByte(kind);
        into.putInt(tables.indexOf(row.table()));
        into.putText(row.key());
    }

    private static void putEntries(Entries entries, JournalBuffer into) {
        for (var texts : entries.byIndex()) {
            into.putInt(texts.size());
            for (var text : texts) {
                into.putText(text);
            }
        }
    }

    /** Reads records; a table has one object however many records name it. */
    static final class Reader {

        /** A table as a record names it. */
        private record Shape(String name, List<String> indexes, List<Boolean> singles) {}

        private final Map<Shape, Table<?, ?>> known = new HashMap<>();

        List<Write> decode(ByteBuffer from) {
            var tables = new ArrayList<Table<?, ?>>();
            for (int left = from.getInt(); left > 0; left--) {
                tables.add(table(from));
            }
            var writes = new ArrayList<Write>();
            for (int left = from.getInt(); left > 0; left--) {
                writes.add(write(from, tables));
            }
            return writes;
        }

        private Table<?, ?> table(ByteBuffer from) {
            var name = text(from);
            var indexes = new ArrayList<String>();
            var singles = new ArrayList<Boolean>();
            for (int left = from.getInt(); left > 0; left--) {
                indexes.add(text(from));
                singles.add(from.get() != 0);
            }
            return known.computeIfAbsent(new Shape(name, indexes, singles), Reader::table);
        }

        // Its rows are written and never read here, so nothing is ever encoded or put under an index.
        private static Table<String, byte[]> table(Shape shape) {
            var indexes = new ArrayList<Index<byte[]>>();
            for (int i = 0; i < shape.indexes.size(); i++) {
                indexes.add(
                        shape.singles.get(i)
                                ? Index.ofOne(shape.indexes.get(i), body -> Optional.empty())
                                : Index.ofMany(shape.indexes.get(i), body -> Set.of()));
            }
            return new Table<>(0, shape.name, Function.identity(), Function.identity(), Function.identity(), indexes);
        }

        private static Write write(ByteBuffer from, List<Table<?, ?>> tables) {
            byte kind = from.get();
            var table = tables.get(from.getInt());
            var row = new RowRef<>(table, text(from));
            int indexes = table.indexes().size();
            return switch (kind) {
                case INSERT -> new Insert(row, bytes(from), entries(from, indexes));
                case UPDATE ->
                    new Update(
                            row, from.getLong(), bytes(from), new Move(entries(from, indexes), entries(from, indexes)));
                case DELETE -> new Delete(row, from.getLong(), entries(from, indexes));
                default -> throw new IllegalStateException("no kind of write: " + kind);
            };
        }

        private static Entries entries(ByteBuffer from, int indexes) {
            var all = new ArrayList<Set<String>>(indexes);
            for (int i = 0; i < indexes; i++) {
                var texts = new HashSet<String>();
                for (int left = from.getInt(); left > 0; left--) {
                    texts.add(text(from));
                }
                all.add(texts);
            }
            return new Entries(all);
        }

        private static String text(ByteBuffer from) {
            return new String(bytes(from), StandardCharsets.UTF_8);
        }

        private static byte[] bytes(ByteBuffer from) {
            var bytes = new byte[from.getInt()];
            from.get(bytes);
            return bytes;
        }
    }
}
