package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.StoredRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A range as a statement: by key, by a column of the row where it stands under one text at most, otherwise by the index's entries joined
 * with their rows.
 */
public final class SqlScan {

    private SqlScan() {}

    /** Prepares statements, or has them from before; they are not closed here. */
    public interface Preparer {
        PreparedStatement prepare(String sql) throws SQLException;
    }

    /** When a database sends the rows of an answer. */
    public enum Sends {
        /** One after another, as they are asked for. */
        EACH_ROW,
        /** All together, so that it has to cut the answer itself. */
        ALL_ROWS
    }

    /** Runs the range over the table that has its name, in any database that compares texts by their bytes. */
    public static List<Range.Hit<StoredRow>> run(Preparer session, Range<?> range, Sends sends) throws SQLException {
        var table = range.table().name();
        boolean cut = sends == Sends.ALL_ROWS && range.bytes() < Integer.MAX_VALUE;
        return range.index().isPresent()
                ? byIndex(session, table, range, range.index().get(), cut)
                : byKey(session, table, range, cut);
    }

    // The length of a body is known without reading it.
    private static String cut(String scan, String order) {
        return "SELECT * FROM (SELECT scan.*, sum(length(body)) OVER (ORDER BY " + order
                + " ROWS UNBOUNDED PRECEDING) - length(body) AS before FROM (" + scan + ") AS scan) AS sized"
                + " WHERE before < ? ORDER BY " + order;
    }

    private static List<Range.Hit<StoredRow>> hits(PreparedStatement statement, Range<?> range, boolean byIndex)
            throws SQLException {
        var hits = new ArrayList<Range.Hit<StoredRow>>();
        long bytes = 0;
        int key = byIndex ? 2 : 1;
        try (var rows = statement.executeQuery()) {
            while (bytes < range.bytes() && rows.next()) {
                var id = rows.getString(key);
                var position = byIndex ? Range.position(rows.getString(1), id) : id;
                hits.add(Range.Hit.of(position, new StoredRow(id, rows.getLong(key + 1), rows.getBytes(key + 2))));
                bytes += hits.getLast().bytes();
            }
        }
        return hits;
    }

    private static List<Range.Hit<StoredRow>> byKey(Preparer session, String table, Range<?> range, boolean cut)
            throws SQLException {
        boolean descending = range.descending();
        boolean continued =
                range.after().isPresent() && beyondStart(range, range.after().get());
        var order = "id" + (descending ? " DESC" : "");
        var sql = "SELECT id, version, body FROM " + table + " WHERE "
                + (continued && !descending ? "id > ?" : "id >= ?") + " AND id < ? ORDER BY " + order + " LIMIT ?";
        var statement = session.prepare(cut ? cut(sql, order) : sql);
        statement.setString(1, continued && !descending ? range.after().get() : range.low());
        statement.setString(2, continued && descending ? range.after().get() : range.high());
        statement.setInt(3, range.limit());
        if (cut) {
            statement.setInt(4, range.bytes());
        }
        return hits(statement, range, false);
    }

    private static List<Range.Hit<StoredRow>> byIndex(
            Preparer session, String table, Range<?> range, Index<?> index, boolean cut) throws SQLException {
        boolean descending = range.descending();
        var after = range.after().map(SqlScan::split).filter(position -> beyondStart(range, position[0]));
        var entry = index.single() ? "r.by_" + index.name() : "e.entry";
        var id = index.single() ? "r.id" : "e.id";
        var from = index.single()
                ? table + " r"
                : table + "_by_" + index.name() + " e JOIN " + table + " r ON r.id = e.id";
        var pair = "(" + entry + ", " + id + ")";
        var low = after.isPresent() && !descending ? pair + " > (?, ?)" : entry + " >= ?";
        var high = after.isPresent() && descending ? pair + " < (?, ?)" : entry + " < ?";
        var order = descending ? entry + " DESC, " + id + " DESC" : entry + ", " + id;
        var sql = "SELECT " + entry + " AS entry, " + id + " AS id, r.version, r.body FROM " + from + " WHERE " + low
                + " AND " + high + " ORDER BY " + order + " LIMIT ?";
        var statement = session.prepare(cut ? cut(sql, descending ? "entry DESC, id DESC" : "entry, id") : sql);
        int parameter = 1;
        if (after.isPresent() && !descending) {
            statement.setString(parameter++, after.get()[0]);
            statement.setString(parameter++, after.get()[1]);
        } else {
            statement.setString(parameter++, range.low());
        }
        if (after.isPresent() && descending) {
            statement.setString(parameter++, after.get()[0]);
            statement.setString(parameter++, after.get()[1]);
        } else {
            statement.setString(parameter++, range.high());
        }
        statement.setInt(parameter++, range.limit());
        if (cut) {
            statement.setInt(parameter, range.bytes());
        }
        return hits(statement, range, true);
    }

    // A position before the range's start, in the direction of the scan, continues nothing.
    static boolean beyondStart(Range<?> range, String text) {
        return range.descending() ? text.compareTo(range.high()) < 0 : text.compareTo(range.low()) >= 0;
    }

    static String[] split(String position) {
        int at = position.indexOf(Range.SEPARATOR);
        if (at < 0) {
            throw new IllegalArgumentException("not a position in an index");
        }
        return new String[] {position.substring(0, at), position.substring(at + 1)};
    }
}
