package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Brings the file's tables to this server's version; Flyway runs only when there is something to do. */
final class SqliteMigrations {

    /** The number of the newest file in {@code db/sqlite}. */
    static final int CURRENT_VERSION = 4;

    /** What came before it was never released, and its rows are not read any more. */
    static final int FIRST_VERSION = 4;

    private static final String HISTORY = "flyway_schema_history";

    // The logging framework holds loggers weakly; this keeps the level.
    private static final Logger FLYWAY_LOGGER = Logger.getLogger("org.flywaydb");

    private SqliteMigrations() {}

    static void run(Connection connection, DataSource source) throws SQLException {
        int found = version(connection);
        if (found > CURRENT_VERSION) {
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN,
                    Cause.FAILED,
                    "the database is of version " + found
                            + ", written by a newer server; this server knows versions up to " + CURRENT_VERSION);
        }
        if (found > 0 && found < FIRST_VERSION) {
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN,
                    Cause.FAILED,
                    "the database is of version " + found
                            + ", from before the first release; this server knows version " + FIRST_VERSION
                            + " and later");
        }
        if (found < CURRENT_VERSION) {
            FLYWAY_LOGGER.setLevel(Level.WARNING);
            Flyway.configure()
                    .dataSource(source)
                    .locations("classpath:db/sqlite")
                    .loggers("slf4j")
                    .load()
                    .migrate();
        }
    }

    private static int version(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            try (var tables = statement.executeQuery(
                    "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '" + HISTORY + "'")) {
                if (tables.getInt(1) == 0) {
                    return 0;
                }
            }
            try (var versions = statement.executeQuery(
                    "SELECT coalesce(max(CAST(version AS INTEGER)), 0) FROM " + HISTORY + " WHERE success")) {
                return versions.getInt(1);
            }
        }
    }
}
