package dev.nonbis.server.store.postgres;

import dev.nonbis.core.store.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements of one table and its indexes; each takes any number of rows as arrays.
 *
 * @param columns the places of those indexes that are columns of the row
 */
record PostgresTable(
        String name,
        String fetch,
        String insert,
        String update,
        String delete,
        String versions,
        List<Integer> columns,
        List<Entries> indexes) {

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
                // A row that is there already makes the count too small, and does not end the transaction with an error
                // in the log.
                "INSERT INTO " + name + " (id, version, body" + names + ") SELECT n.id, 1, n.body" + values
                        + " FROM unnest(?::text[], ?::bytea[]" + texts + ") AS n(id, body" + names
                        + ") ON CONFLICT DO NOTHING",
                "UPDATE " + name + " AS r SET body = n.body, version = r.version + 1" + settings
                        + " FROM unnest(?::text[], ?::int8[], ?::bytea[]" + texts + ") AS n(id, version, body" + names
                        + ") WHERE r.id = n.id AND r.version = n.version",
                "DELETE FROM " + name + " AS r USING unnest(?::text[], ?::int8[]) AS n(id, version)"
                        + " WHERE r.id = n.id AND r.version = n.version",
                "SELECT id, version FROM " + name + " WHERE id = ANY(?)",
                columns,
                indexes);
    }

    private static Entries entries(int place, String table) {
        return new Entries(
                place,
                "INSERT INTO " + table + " (entry, id) SELECT n.entry, n.id"
                        + " FROM unnest(?::text[], ?::text[]) AS n(entry, id) ON CONFLICT DO NOTHING",
                "DELETE FROM " + table + " AS e USING unnest(?::text[], ?::text[]) AS n(entry, id)"
                        + " WHERE e.entry = n.entry AND e.id = n.id");
    }
}
