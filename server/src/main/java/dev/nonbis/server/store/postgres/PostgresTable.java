package dev.nonbis.server.store.postgres;

import dev.nonbis.core.store.Table;
import java.util.List;

/** The statements of one table and its indexes; each takes any number of rows as arrays. */
record PostgresTable(
        String name,
        String fetch,
        String insert,
        String update,
        String delete,
        String versions,
        List<Entries> indexes) {

    /** The statements on one index's table. */
    record Entries(String insert, String delete) {}

    static PostgresTable of(Table<?, ?> table) {
        var name = table.name();
        return new PostgresTable(
                name,
                "SELECT id, version, body FROM " + name + " WHERE id = ANY(?)",
                // A row that is there already makes the count too small, and does not end the transaction with an error
                // in the log.
                "INSERT INTO " + name + " (id, version, body) SELECT n.id, 1, n.body"
                        + " FROM unnest(?::text[], ?::bytea[]) AS n(id, body) ON CONFLICT DO NOTHING",
                "UPDATE " + name + " AS r SET body = n.body, version = r.version + 1"
                        + " FROM unnest(?::text[], ?::int8[], ?::bytea[]) AS n(id, version, body)"
                        + " WHERE r.id = n.id AND r.version = n.version",
                "DELETE FROM " + name + " AS r USING unnest(?::text[], ?::int8[]) AS n(id, version)"
                        + " WHERE r.id = n.id AND r.version = n.version",
                "SELECT id, version FROM " + name + " WHERE id = ANY(?)",
                table.indexes().stream()
                        .map(index -> entries(name + "_by_" + index.name()))
                        .toList());
    }

    private static Entries entries(String table) {
        return new Entries(
                "INSERT INTO " + table + " (entry, id) SELECT n.entry, n.id"
                        + " FROM unnest(?::text[], ?::text[]) AS n(entry, id) ON CONFLICT DO NOTHING",
                "DELETE FROM " + table + " AS e USING unnest(?::text[], ?::text[]) AS n(entry, id)"
                        + " WHERE e.entry = n.entry AND e.id = n.id");
    }
}
