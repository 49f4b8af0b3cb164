package dev.nonbis.server.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * By which settings the database may lose what it has acknowledged.
 *
 * @param weaknesses one sentence each, with the reason and the fix; none when it keeps what it acknowledges
 */
record PostgresDurability(String synchronousCommit, List<String> weaknesses) {

    static PostgresDurability of(Connection connection) throws SQLException {
        var synchronousCommit = setting(connection, "synchronous_commit");
        var weaknesses = new ArrayList<String>();
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
