package dev.nonbis.server.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * By which settings the database may lose what it has acknowledged.
 *
 * @param weaknesses one sentence each, with the reason and the fix; none when it keeps what it acknowledges
 */
record PostgresDurability(String synchronousCommit, List<String> weaknesses) {

    /** Fails, with its reason in the message, on a server that does not flush. */
    static final String REFUSE_UNLESS_FLUSHED = "SELECT CASE WHEN current_setting('fsync') = 'on'"
            + " AND current_setting('full_page_writes') = 'on' THEN 0 ELSE ('durability is strict, fsync is '"
            + " || current_setting('fsync') || ' and full_page_writes is ' || current_setting('full_page_writes'))::int END";

    // What a standby has flushed too, or shown to its readers.
    private static final Set<String> WAITS_FOR_STANDBY = Set.of("on", "remote_apply");

    /** {@code mayFailOver} says whether another server may take over with what it has by then. */
    static PostgresDurability of(Connection connection, boolean mayFailOver) throws SQLException {
        var synchronousCommit = setting(connection, "synchronous_commit");
        var weaknesses = new ArrayList<String>();
        if (mayFailOver
                && (setting(connection, "synchronous_standby_names").isEmpty()
                        || !WAITS_FOR_STANDBY.contains(synchronousCommit))) {
            weaknesses.add(
                    "the URL names several servers and commits do not wait for a standby, so the last ones are lost when"
                            + " another takes over: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)' and synchronous_commit = on");
        }
        if (synchronousCommit.equals("off")) {
            weaknesses.add("synchronous_commit is off, so the last commits before a crash are lost:"
                    + " ALTER SYSTEM SET synchronous_commit = on, and look at ALTER ROLE and ALTER DATABASE too");
        }
        if (setting(connection, "fsync").equals("off")) {
            weaknesses.add("fsync is off, so a crash of the machine can lose or damage everything:"
                    + " ALTER SYSTEM SET fsync = on");
        }
        if (setting(connection, "full_page_writes").equals("off")) {
            weaknesses.add("full_page_writes is off, so a crash of the machine can leave half-written pages:"
                    + " ALTER SYSTEM SET full_page_writes = on");
        }
        return new PostgresDurability(synchronousCommit, List.copyOf(weaknesses));
    }

    static String setting(Connection connection, String name) throws SQLException {
        try (var statement = connection.prepareStatement("SELECT current_setting(?)")) {
            statement.setString(1, name);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
