package dev.nonbis.server.store.postgres;

import java.util.Map;

/**
 * Where a database is and who calls.
 *
 * @param hosts one or more {@code host:port}, with commas between them; of several, the one that takes writes is used
 * @param options what the driver is told beside, such as {@code sslmode}
 */
public record PostgresAddress(
        String hosts, String database, String user, String password, Map<String, String> options) {

    public PostgresAddress {
        options = Map.copyOf(options);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "postgres://" + user + "@" + hosts + "/" + database;
    }
}
