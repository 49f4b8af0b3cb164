package dev.nonbis.server.store.postgres;

import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import dev.nonbis.core.store.Write.Expect;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Update;
import dev.nonbis.server.store.postgres.Sentence.Argument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The writes of one transaction as statements, one for each table and kind of change; what was not as expected makes them fail. */
final class PostgresWrites {

    private PostgresWrites() {}

    static Sentence of(List<Write> writes, Function<Table<?, ?>, PostgresTable> tables) {
        var byTable = new LinkedHashMap<PostgresTable, OfTable>();
        for (var write : writes) {
            byTable.computeIfAbsent(tables.apply(write.row().table()), OfTable::new)
                    .add(write);
        }
        var sentence = new Sentence();
        byTable.values().forEach(table -> table.put(sentence));
        return sentence;
    }

    /** The writes to one table. */
    private static final class OfTable {

        private final PostgresTable table;
        private final List<Insert> inserts = new ArrayList<>();
        private final List<Update> updates = new ArrayList<>();
        private final List<Delete> deletes = new ArrayList<>();
        private final List<Expect> expects = new ArrayList<>();
        private final List<List<Entry>> added = new ArrayList<>();
        private final List<List<Entry>> removed = new ArrayList<>();

        OfTable(PostgresTable table) {
            this.table = table;
            table.indexes().forEach(index -> {
                added.add(new ArrayList<>());
                removed.add(new ArrayList<>());
            });
        }

        void add(Write write) {
            switch (write) {
                case Insert insert -> {
                    inserts.add(insert);
                    collect(insert.row().key(), insert.added(), added);
                }
                case Update update -> {
                    updates.add(update);
                    collect(update.row().key(), update.moved().removed(), removed);
                    collect(update.row().key(), update.moved().added(), added);
                }
                case Delete delete -> {
                    deletes.add(delete);
                    collect(delete.row().key(), delete.removed(), removed);
                }
                case Expect expect -> expects.add(expect);
            }
        }

        /** Rows go before index entries, so that a conflict shows on the row. */
        void put(Sentence sentence) {
            if (!expects.isEmpty()) {
                sentence.add(table.expect(), texts(keys(expects)), versions(expects, Expect::readVersion));
            }
            if (!inserts.isEmpty()) {
                var arguments = new ArrayList<>(List.of(texts(keys(inserts)), bodies(inserts, Insert::body)));
                table.columns().forEach(place -> arguments.add(column(inserts, place, Insert::added)));
                sentence.add(table.insert(), arguments.toArray(Argument[]::new));
            }
            if (!updates.isEmpty()) {
                var arguments = new ArrayList<>(List.of(
                        texts(keys(updates)), versions(updates, Update::readVersion), bodies(updates, Update::body)));
                table.columns()
                        .forEach(place -> arguments.add(
                                column(updates, place, update -> update.moved().to())));
                sentence.add(table.update(), arguments.toArray(Argument[]::new));
            }
            if (!deletes.isEmpty()) {
                sentence.add(table.delete(), texts(keys(deletes)), versions(deletes, Delete::readVersion));
            }
            for (int i = 0; i < table.indexes().size(); i++) {
                var index = table.indexes().get(i);
                entries(sentence, index.delete(), removed.get(i));
                entries(sentence, index.insert(), added.get(i));
            }
        }

        private static void entries(Sentence sentence, String sql, List<Entry> entries) {
            if (!entries.isEmpty()) {
                var texts = entries.stream().map(Entry::text).toArray(String[]::new);
                var keys = entries.stream().map(Entry::key).toArray(String[]::new);
                sentence.add(sql, texts(texts), texts(keys));
            }
        }

        private static <W extends Write> Argument versions(List<W> writes, ToLongFunction<W> version) {
            return new Argument(
                    "int8", writes.stream().mapToLong(version).boxed().toArray(Long[]::new));
        }

        private static <W extends Write> Argument bodies(List<W> writes, Function<W, byte[]> body) {
            return new Argument("bytea", writes.stream().map(body).toArray(byte[][]::new));
        }

        /** Where each row stands in an index that is a column. */
        private static <W extends Write> Argument column(List<W> writes, int place, Function<W, Entries> entries) {
            @Nullable String[] texts = new String[writes.size()];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = entries.apply(writes.get(i)).one(place).orElse(null);
            }
            return texts(texts);
        }

        private static String[] keys(List<? extends Write> writes) {
            return writes.stream().map(write -> write.row().key()).toArray(String[]::new);
        }

        private static Argument texts(@Nullable String[] texts) {
            return new Argument("text", texts);
        }

        private void collect(String key, Entries entries, List<List<Entry>> into) {
            for (int i = 0; i < into.size(); i++) {
                for (var text : entries.byIndex().get(table.indexes().get(i).place())) {
                    into.get(i).add(new Entry(text, key));
                }
            }
        }
    }

    /** A row's place in an index. */
    private record Entry(String text, String key) {}
}
