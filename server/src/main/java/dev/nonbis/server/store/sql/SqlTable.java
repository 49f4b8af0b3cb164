package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/** The statements of one table and its indexes, each for chunks of 1, 2, 4 … rows. */
final class SqlTable {

    /** The largest chunk is two to this power. */
    static final int MAX_POWER = 5;

    /** One statement's text for each chunk size, by its power of two. */
    record Chunked(List<String> byPower) {

        static Chunked of(IntFunction<String> sql) {
            var texts = new ArrayList<String>(MAX_POWER + 1);
            for (int power = 0; power <= MAX_POWER; power++) {
                texts.add(sql.apply(1 << power));
            }
            return new Chunked(List.copyOf(texts));
        }
    }

    /** The statements on one index's table. */
    record Entries(String table, Chunked insert, Chunked delete) {}

    final String name;
    final String get;
    final Chunked fetch;
    final Chunked insert;
    final String update;
    final Chunked delete;
    final List<Entries> indexes;

    SqlTable(SqlDialect dialect, Table<?, ?> table) {
        name = table.name();
        get = "SELECT version, body FROM " + name + " WHERE id = ?";
        fetch = Chunked.of(rows -> "SELECT id, version, body FROM " + name + " WHERE id IN (" + times("?", rows) + ")");
        insert = Chunked.of(
                rows -> dialect.insertInto() + " " + name + " (id, version, body) VALUES " + times("(?, 1, ?)", rows));
        // One by one: a statement that updates many rows from a list was not cheaper.
        update = "UPDATE " + name + " SET body = ?, version = version + 1 WHERE id = ? AND version = ?";
        delete = Chunked.of(rows -> "DELETE FROM " + name + " WHERE (id, version) IN " + pairs(rows));
        indexes = table.indexes().stream()
                .map(index -> entries(dialect, name + "_by_" + index.name()))
                .toList();
    }

    private static Entries entries(SqlDialect dialect, String table) {
        return new Entries(
                table,
                Chunked.of(rows -> dialect.insertInto() + " " + table + " (entry, id) VALUES " + times("(?, ?)", rows)),
                Chunked.of(rows -> "DELETE FROM " + table + " WHERE (entry, id) IN " + pairs(rows)));
    }

    // The columns of VALUES have these names in every database that we speak to. A bare list of VALUES would make
    // SQLite walk through the whole table.
    private static String pairs(int rows) {
        return "(SELECT column1, column2 FROM (VALUES " + times("(?, ?)", rows) + ") AS pairs)";
    }

    private static String times(String what, int rows) {
        return String.join(", ", Collections.nCopies(rows, what));
    }
}
