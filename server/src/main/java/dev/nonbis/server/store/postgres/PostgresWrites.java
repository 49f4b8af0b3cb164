package dev.nonbis.server.store.postgres;

import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import dev.nonbis.core.store.Write.Expect;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Update;
import dev.nonbis.core.store.WriteConflict;
import dev.nonbis.server.store.postgres.Sentence.Argument;
import dev.nonbis.server.store.postgres.Sentence.Part;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The writes of one transaction as statements, one for each table and kind of change. */
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
                sentence.add(new Part(table.versions(), List.of(texts(keys(expects))), this::checkVersions));
            }
            if (!inserts.isEmpty()) {
                var bodies = inserts.stream().map(Insert::body).toArray(byte[][]::new);
                var arguments = new ArrayList<>(List.of(texts(keys(inserts)), new Argument("bytea", bodies)));
                table.columns().forEach(place -> arguments.add(column(inserts, place, Insert::added)));
                change(sentence, table.insert(), inserts.size(), arguments);
            }
            if (!updates.isEmpty()) {
                var versions = updates.stream().map(Update::readVersion).toArray(Long[]::new);
                var bodies = updates.stream().map(Update::body).toArray(byte[][]::new);
                var arguments = new ArrayList<>(
                        List.of(texts(keys(updates)), new Argument("int8", versions), new Argument("bytea", bodies)));
                table.columns()
                        .forEach(place -> arguments.add(
                                column(updates, place, update -> update.moved().to())));
                change(sentence, table.update(), updates.size(), arguments);
            }
            if (!deletes.isEmpty()) {
                var versions = deletes.stream().map(Delete::readVersion).toArray(Long[]::new);
                change(
                        sentence,
                        table.delete(),
                        deletes.size(),
                        List.of(texts(keys(deletes)), new Argument("int8", versions)));
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
                change(sentence, sql, entries.size(), List.of(texts(texts), texts(keys)));
            }
        }

        private static void change(Sentence sentence, String sql, int rows, List<Argument> arguments) {
            sentence.add(new Part(sql, arguments, statement -> expectAll(statement, rows)));
        }

        /** Where each row stands in an index that is a column. */
        private static <W extends Write> Argument column(List<W> writes, int place, Function<W, Entries> entries) {
            @Nullable String[] texts = new String[writes.size()];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = entries.apply(writes.get(i)).one(place).orElse(null);
            }
            return texts(texts);
        }

        private void checkVersions(PreparedStatement statement) throws SQLException {
            Map<String, Long> found = new HashMap<>();
            try (var rows = statement.getResultSet()) {
                while (rows.next()) {
                    found.put(rows.getString(1), rows.getLong(2));
                }
            }
            for (var expect : expects) {
                if (found.getOrDefault(expect.row().key(), 0L) != expect.readVersion()) {
                    throw new WriteConflict("not as it was read: " + expect.row());
                }
            }
        }

        private static void expectAll(PreparedStatement statement, int rows) throws SQLException {
            int changed = statement.getUpdateCount();
            if (changed != rows) {
                throw new WriteConflict(changed + " of " + rows + " rows were as expected");
            }
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
