package dev.nonbis.server.store.postgres;

import dev.nonbis.core.store.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements of one table and its indexes; each takes any number of rows as arrays. One that writes fails unless every row was as
 * expected, so that a commit can follow it in the same round trip.
 *
 * @param columns the places of those indexes that are columns of the row
 */
record PostgresTable(
        String name,
        String fetch,
        String insert,
        String update,
        String delete,
        String expect,
        List<Integer> columns,
        List<Entries> indexes) {

    // SQL has no statement that only fails. A text that is no number does, and the database's log then shows the text.
    private static final String ALL_WERE_AS_EXPECTED = " SELECT CASE WHEN (SELECT count(*) FROM done) = count(*) THEN 0"
            + " ELSE ('another server was first: ' || count(*))::int END FROM n";

    /** The statements on the table of an index in which a row may stand more than once; {@code place} is its place among all. */
    record Entries(int place, String insert, String delete) {}

    static PostgresTable of(Table<?, ?> table) {
        var name = table.name();
        var columns = new ArrayList<Integer>();
        var indexes = new ArrayList<Entries>();
        var names = new StringBuilder();
        var values = new StringBuilder();
        var settings = new StringBuilder();
        for (int place = 0; place < table.indexes().size(); place++) {
            var index = table.indexes().get(place);
            if (index.single()) {
                columns.add(place);
                var column = "by_" + index.name();
                names.append(", ").append(column);
                values.append(", n.").append(column);
                settings.append(", ").append(column).append(" = n.").append(column);
            } else {
                indexes.add(entries(place, name + "_by_" + index.name()));
            }
        }
        var texts = ", ?::text[]".repeat(columns.size());
        return new PostgresTable(
                name,
                "SELECT id, version, body FROM " + name + " WHERE id = ANY(?)",
                "INSERT INTO " + name + " (id, version, body" + names + ") SELECT n.id, 1, n.body" + values
                        + " FROM unnest(?::text[], ?::bytea[]" + texts + ") AS n(id, body" + names + ")",
                "WITH n AS (SELECT * FROM unnest(?::text[], ?::int8[], ?::bytea[]" + texts + ") AS n(id, version, body"
                        + names + ")), done AS (UPDATE " + name + " AS r SET body = n.body, version = r.version + 1"
                        + settings + " FROM n WHERE r.id = n.id AND r.version = n.version RETURNING 1)"
                        + ALL_WERE_AS_EXPECTED,
                "WITH n AS (SELECT * FROM unnest(?::text[], ?::int8[]) AS n(id, version)), done AS (DELETE FROM " + name
                        + " AS r USING n WHERE r.id = n.id AND r.version = n.version RETURNING 1)"
                        + ALL_WERE_AS_EXPECTED,
                "WITH n AS (SELECT * FROM unnest(?::text[], ?::int8[]) AS n(id, version)), done AS (SELECT 1 FROM n LEFT JOIN "
                        + name + " AS r ON r.id = n.id WHERE coalesce(r.version, 0) = n.version)"
                        + ALL_WERE_AS_EXPECTED,
                columns,
                indexes);
    }

    private static Entries entries(int place, String table) {
        return new Entries(
                place,
                "INSERT INTO " + table + " (entry, id) SELECT n.entry, n.id"
                        + " FROM unnest(?::text[], ?::text[]) AS n(entry, id)",
                "WITH n AS (SELECT * FROM unnest(?::text[], ?::text[]) AS n(entry, id)), done AS (DELETE FROM " + table
                        + " AS e USING n WHERE e.entry = n.entry AND e.id = n.id RETURNING 1)"
                        + ALL_WERE_AS_EXPECTED);
    }
}
