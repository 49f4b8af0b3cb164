package dev.nonbis.server.store.postgres;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Brings the tables up to date, by one server at a time however many start. Servers of two versions work side by side during a rolling
 * restart: a newer schema is taken as long as it says that servers of our version still work on it.
 */
final class PostgresMigrations {

    /** The number of the newest file in {@code db/postgres}. */
    static final int CURRENT_VERSION = 3;

    /** What came before it was never released, and its rows are not read any more. */
    static final int FIRST_VERSION = 3;

    /** What this server knows. */
    static final Schema CURRENT = new Schema(CURRENT_VERSION, List.of("classpath:db/postgres"));

    /**
     * The tables that servers of one version know.
     *
     * @param locations where the files are, which may hold later ones too
     */
    record Schema(int version, List<String> locations) {}

    // The logging framework holds loggers weakly; this keeps the level.
    private static final Logger FLYWAY_LOGGER = Logger.getLogger("org.flywaydb");

    private PostgresMigrations() {}

    static void run(DataSource source, Schema ours) throws SQLException {
        try (var connection = source.getConnection()) {
            refuseIfTooNew(connection, ours);
            int found = version(connection);
            refuseIfTooOld(found);
            if (found >= ours.version()) {
                return;
            }
        }
        FLYWAY_LOGGER.setLevel(Level.WARNING);
        Flyway.configure()
                .dataSource(source)
                .locations(ours.locations().toArray(String[]::new))
                .target(Integer.toString(ours.version()))
                .loggers("slf4j")
                .load()
                .migrate();
        try (var connection = source.getConnection()) {
            refuseIfTooNew(connection, ours);
        }
    }

    private static void refuseIfTooOld(int found) {
        if (found > 0 && found < FIRST_VERSION) {
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN,
                    Cause.FAILED,
                    "the database is of schema version " + found
                            + ", from before the first release; this server knows version " + FIRST_VERSION
                            + " and later");
        }
    }

    private static void refuseIfTooNew(Connection connection, Schema ours) throws SQLException {
        int needed = oldestServer(connection);
        if (needed > ours.version()) {
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN,
                    Cause.FAILED,
                    "the database was changed by a newer server and needs servers of schema version " + needed
                            + " or later; this server knows version " + ours.version());
        }
    }

    /** The oldest schema version whose servers may work on the database; zero when there is none yet. */
    private static int oldestServer(Connection connection) throws SQLException {
        return number(connection, "nonbis_schema", "SELECT works_from FROM nonbis_schema");
    }

    private static int version(Connection connection) throws SQLException {
        return number(
                connection,
                "flyway_schema_history",
                "SELECT coalesce(max(version::integer), 0) FROM flyway_schema_history WHERE success");
    }

    private static int number(Connection connection, String table, String query) throws SQLException {
        try (var statement = connection.createStatement()) {
            try (var found = statement.executeQuery("SELECT to_regclass('" + table + "') IS NOT NULL")) {
                found.next();
                if (!found.getBoolean(1)) {
                    return 0;
                }
            }
            try (var row = statement.executeQuery(query)) {
                return row.next() ? row.getInt(1) : 0;
            }
        }
    }
}
