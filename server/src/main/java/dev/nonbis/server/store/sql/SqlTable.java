package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Table;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.sqlite.core.CoreStatement;
import org.sqlite.core.DB;

/** The statements of one table and its indexes, each for chunks of 1, 2, 4 … rows. */
final class SqlTable {

    /** The largest chunk is two to this power. */
    static final int MAX_POWER = 5;

    // Rows stand there once, but for good and many under the same text. Told by their names, because only this database
    // keeps them so.
    private static final Set<String> LASTING = Set.of("jobs_by_topic", "runs_by_workflow");

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

    final String name;
    final String get;

    /** As {@link #get}, of the row at a place, if it has that name. */
    final String getAt;

    /** Its rows' names in their order with their places, a page after another. */
    final String names;

    /** Where its rows lie; nothing is known where they are rarely looked for after long. */
    final Optional<Whereabouts> where;

    final Chunked fetch;
    final Chunked insert;
    final Chunked delete;
    /** The places of those indexes that are columns of the row. */
    final List<Integer> columns = new ArrayList<>();

    /** The others. */
    final List<Postings> indexes = new ArrayList<>();

    private final List<String> columnNames = new ArrayList<>();
    private final Map<Integer, String> updates = new HashMap<>();

    SqlTable(SqlDialect dialect, Table<?, ?> table, Optional<Whereabouts> where) {
        name = table.name();
        this.where = where;
        for (int place = 0; place < table.indexes().size(); place++) {
            var index = table.indexes().get(place);
            var ordered = name + "_by_" + index.name();
            if (index.single() && !LASTING.contains(ordered)) {
                columns.add(place);
                columnNames.add("by_" + index.name());
            } else {
                indexes.add(new Postings(dialect, place, ordered));
            }
        }
        get = "SELECT version, body FROM " + name + " WHERE id = ?";
        // Without the plus the database might look for the name instead of the place.
        getAt = "SELECT version, body FROM " + name + " WHERE rowid = ? AND +id = ?";
        names = "SELECT id, rowid FROM " + name + " WHERE id > ? ORDER BY id LIMIT ?";
        fetch = Chunked.of(rows -> "SELECT id, version, body FROM " + name + " WHERE id IN (" + times("?", rows) + ")");
        var columnList = String.join(
                "", columnNames.stream().map(column -> ", " + column).toList());
        var values = "(?, 1, ?" + ", ?".repeat(columns.size()) + ")";
        insert = Chunked.of(rows -> dialect.insertInto() + " " + name + " (id, version, body" + columnList + ") VALUES "
                + times(values, rows));
        delete = Chunked.of(rows -> "DELETE FROM " + name + " WHERE (id, version) IN " + pairs(rows));
    }

    /**
     * One row after another: a statement that updates many from a list was not cheaper. A column that is named is written, and its
     * index with it, so only those that change are.
     *
     * @param changed one bit for each of the columns
     */
    String update(int changed) {
        return updates.computeIfAbsent(changed, this::updateOf);
    }

    private String updateOf(int changed) {
        var sql = new StringBuilder("UPDATE ").append(name).append(" SET body = ?, version = ?");
        for (int i = 0; i < columns.size(); i++) {
            if ((changed & 1 << i) != 0) {
                sql.append(", ").append(columnNames.get(i)).append(" = ?");
            }
        }
        return sql.append(" WHERE id = ? AND version = ?").toString();
    }

    /** The table of an index, where it is not a column of the row. */
    Optional<Postings> postings(Index<?> index) {
        var table = name + "_by_" + index.name();
        return indexes.stream().filter(postings -> postings.table.equals(table)).findFirst();
    }

    /** Adds those of the rows that are there to what was found. */
    void fetch(SqlSession session, List<RowRef<?, ?>> rows, Map<RowRef<?, ?>, StoredRow> found) throws SQLException {
        var byKey = new HashMap<String, RowRef<?, ?>>();
        for (var row : rows) {
            byKey.put(row.key(), row);
        }
        session.inChunks(
                fetch,
                rows,
                (statement, parameter, row) -> {
                    statement.setString(parameter, row.key());
                    return parameter + 1;
                },
                (statement, chunk) -> {
                    try (var result = statement.executeQuery()) {
                        while (result.next()) {
                            var row = Objects.requireNonNull(byKey.get(result.getString(1)));
                            found.put(row, new StoredRow(row.key(), result.getLong(2), result.getBytes(3)));
                        }
                    }
                });
    }

    /** The row as the session sees it. */
    Optional<StoredRow> find(SqlSession session, RowRef<?, ?> row) throws SQLException {
        long place = where.isPresent() ? where.get().get(row.key()) : 0;
        if (place != 0) {
            var found = row(session.prepare(getAt), row, place, row.key());
            if (found.isPresent()) {
                return found;
            }
        }
        return row(session.prepare(get), row, row.key());
    }

    // Through the driver's core: its result sets ask for their columns' names each time, a tenth of what a row takes.
    private static Optional<StoredRow> row(PreparedStatement statement, RowRef<?, ?> row, Object... bound)
            throws SQLException {
        var asked = (CoreStatement) statement;
        try {
            return asked.getDatabase().execute(asked, bound)
                    ? Optional.of(asked.pointer.safeRun((database, place) ->
                            new StoredRow(row.key(), database.column_long(place, 0), database.column_blob(place, 1))))
                    : Optional.empty();
        } finally {
            // Some errors have closed it.
            if (!asked.pointer.isClosed()) {
                asked.pointer.safeRunInt(DB::reset);
            }
        }
    }

    /** The names behind one, in their order; from now on it is known where these rows lie. */
    List<String> namesBehind(SqlSession session, String after, int most) throws SQLException {
        var statement = session.prepare(names);
        statement.setString(1, after);
        statement.setInt(2, most);
        var found = new ArrayList<String>();
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                var name = rows.getString(1);
                found.add(name);
                if (where.isPresent()) {
                    where.get().put(name, rows.getLong(2));
                }
            }
        }
        return found;
    }

    // The columns of VALUES have these names in every database that we speak to. A bare list of VALUES would make
    // SQLite walk through the whole table.
    static String pairs(int rows) {
        return "(SELECT column1, column2 FROM (VALUES " + times("(?, ?)", rows) + ") AS pairs)";
    }

    static String times(String what, int rows) {
        return String.join(", ", Collections.nCopies(rows, what));
    }
}
