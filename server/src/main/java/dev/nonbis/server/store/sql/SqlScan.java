package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.StoredRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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

    /** Runs the range over the table that has its name, in any database that compares texts by their bytes. */
    public static List<Range.Hit<StoredRow>> run(Preparer session, Range<?> range) throws SQLException {
        var table = range.table().name();
        return range.index().isPresent()
                ? byIndex(session, table, range, range.index().get())
                : byKey(session, table, range);
    }

    private static List<Range.Hit<StoredRow>> byKey(Preparer session, String table, Range<?> range)
            throws SQLException {
        boolean descending = range.descending();
        boolean continued =
                range.after().isPresent() && beyondStart(range, range.after().get());
        var sql = "SELECT id, version, body FROM " + table + " WHERE "
                + (continued && !descending ? "id > ?" : "id >= ?") + " AND id < ? ORDER BY id"
                + (descending ? " DESC" : "") + " LIMIT ?";
        var statement = session.prepare(sql);
        statement.setString(1, continued && !descending ? range.after().get() : range.low());
        statement.setString(2, continued && descending ? range.after().get() : range.high());
        statement.setInt(3, range.limit());
        var hits = new ArrayList<Range.Hit<StoredRow>>();
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                var id = rows.getString(1);
                hits.add(new Range.Hit<>(id, row(rows, id, 2)));
            }
        }
        return hits;
    }

    private static List<Range.Hit<StoredRow>> byIndex(Preparer session, String table, Range<?> range, Index<?> index)
            throws SQLException {
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
        var sql = "SELECT " + entry + ", " + id + ", r.version, r.body FROM " + from + " WHERE " + low + " AND " + high
                + " ORDER BY " + order + " LIMIT ?";
        var statement = session.prepare(sql);
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
        statement.setInt(parameter, range.limit());
        var hits = new ArrayList<Range.Hit<StoredRow>>();
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                var key = rows.getString(2);
                hits.add(new Range.Hit<>(rows.getString(1) + Range.SEPARATOR + key, row(rows, key, 3)));
            }
        }
        return hits;
    }

    private static StoredRow row(ResultSet rows, String id, int versionColumn) throws SQLException {
        return new StoredRow(id, rows.getLong(versionColumn), rows.getBytes(versionColumn + 1));
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
