package dev.nonbis.server.store.sql;

import dev.nonbis.server.store.sql.SqlTable.Chunked;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The table of an index that keeps many rows of one text together, because most rows that come at one time stand under the same few texts.
 */
final class Postings {

    private static final Comparator<PostingsChange> BY_ENTRY =
            Comparator.comparing(change -> change.entry, TextOrder.OF_BYTES);

    /** Its index's place among those of the rows' table. */
    final int place;

    final String table;

    /** The chunks in which rows belong. */
    final Chunked find;

    final Chunked insert;

    /** The first chunks of texts under which nothing ever stood; it answers with these texts. */
    final Chunked begin;

    /** Of one chunk: of many in one statement SQLite would keep what it needs to undo it. */
    final String update;

    final String delete;

    Postings(SqlDialect dialect, int place, String table) {
        this.place = place;
        this.table = table;
        find = Chunked.of(rows -> "SELECT c.entry, c.low, c.ids FROM " + SqlTable.pairs(rows) + " AS p JOIN " + table
                + " AS c ON c.entry = p.column1 AND c.low = (SELECT max(low) FROM " + table
                + " WHERE entry = p.column1 AND low <= p.column2)");
        insert = Chunked.of(rows ->
                dialect.insertInto() + " " + table + " (ids, entry, low) VALUES " + SqlTable.times("(?, ?, ?)", rows));
        begin = Chunked.of(rows -> "INSERT OR IGNORE INTO " + table + " (ids, entry, low) VALUES "
                + SqlTable.times("(?, ?, ?)", rows) + " RETURNING entry");
        update = "UPDATE " + table + " SET ids = ? WHERE entry = ? AND low = ?";
        delete = "DELETE FROM " + table + " WHERE entry = ? AND low = ?";
    }

    /** Carries the changes out from their last rows to their first, one chunk of each text at a time. */
    void apply(SqlSession session, Collection<PostingsChange> changes) throws SQLException {
        var left = new ArrayList<>(changes);
        left.forEach(PostingsChange::sort);
        left.sort(BY_ENTRY);
        left.removeAll(begun(session, left));
        while (!left.isEmpty()) {
            var found = chunks(session, left);
            var fresh = new ArrayList<PostingsChunk>();
            for (var change : left) {
                var chunk = found.get(change.entry);
                if (chunk == null) {
                    fresh.addAll(change.applyTo(PostingsChunk.firstOf(change.entry)));
                } else {
                    var after = change.applyTo(chunk);
                    replace(session, chunk, after);
                    fresh.addAll(after.subList(Math.min(1, after.size()), after.size()));
                }
            }
            session.inChunks(insert, fresh, Postings::bind, TableWrites::insertAll);
            left.removeIf(PostingsChange::isDone);
        }
    }

    // Many texts have one row for ever, such as the number of an order: there is nothing to look for then.
    private Set<PostingsChange> begun(SqlSession session, List<PostingsChange> changes) throws SQLException {
        var single = new LinkedHashMap<String, PostingsChange>();
        var chunks = new ArrayList<PostingsChunk>();
        for (var change : changes) {
            change.single().ifPresent(id -> {
                single.put(change.entry, change);
                chunks.add(new PostingsChunk(change.entry, PostingsChunk.FIRST, List.of(id)));
            });
        }
        var begun = new HashSet<PostingsChange>();
        session.inChunks(begin, chunks, Postings::bind, (statement, some) -> {
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    begun.add(Objects.requireNonNull(single.get(rows.getString(1))));
                }
            }
        });
        return begun;
    }

    // The first of what becomes of a chunk has its name.
    private void replace(SqlSession session, PostingsChunk chunk, List<PostingsChunk> after) throws SQLException {
        if (after.isEmpty()) {
            var statement = session.prepare(delete);
            bindName(statement, 1, chunk);
            TableWrites.expectAll(statement, List.of(chunk));
        } else {
            var statement = session.prepare(update);
            bind(statement, 1, after.getFirst());
            TableWrites.expectAll(statement, List.of(chunk));
        }
    }

    private Map<String, PostingsChunk> chunks(SqlSession session, List<PostingsChange> changes) throws SQLException {
        var found = new HashMap<String, PostingsChunk>();
        session.inChunks(find, changes, Postings::bindLast, (statement, some) -> {
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    var ids = PostingsChunk.ids(rows.getString(3));
                    var chunk = new PostingsChunk(rows.getString(1), rows.getString(2), ids);
                    found.put(chunk.entry(), chunk);
                }
            }
        });
        return found;
    }

    private static int bindLast(PreparedStatement statement, int parameter, PostingsChange change) throws SQLException {
        statement.setString(parameter, change.entry);
        statement.setString(parameter + 1, change.last());
        return parameter + 2;
    }

    private static void bindName(PreparedStatement statement, int parameter, PostingsChunk chunk) throws SQLException {
        statement.setString(parameter, chunk.entry());
        statement.setString(parameter + 1, chunk.low());
    }

    private static int bind(PreparedStatement statement, int parameter, PostingsChunk chunk) throws SQLException {
        statement.setString(parameter, chunk.text());
        bindName(statement, parameter + 1, chunk);
        return parameter + 3;
    }
}
