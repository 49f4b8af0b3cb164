package dev.nonbis.server.store.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import org.flywaydb.core.api.FlywayException;

/** A PostgreSQL database, used by any number of servers. */
public final class PostgresStore {

    private static final int OLDEST_SERVER = 13;

    private PostgresStore() {}

    /**
     * How a database is used.
     *
     * @param writers connections for transactions
     * @param readers connections for reading
     * @param patience how long a transaction waits for an owner's rows that another server is at work on
     * @param strict whether a database that may lose what it acknowledged is refused
     */
    public record Settings(int writers, int readers, Duration patience, boolean strict) {}

    /**
     * A database that is ready.
     *
     * @param weaknesses by what it may lose what it has acknowledged, in a sentence each; always empty when opened strictly
     */
    public record Opened(Backend backend, List<String> weaknesses) {}

    /**
     * Connects, checks what the database promises, and brings its tables up to date.
     *
     * @throws StoreUnavailable when the database cannot be used; the message says why
     */
    public static Opened open(PostgresAddress address, Settings settings) {
        return open(address, settings, PostgresMigrations.CURRENT);
    }

    static Opened open(PostgresAddress address, Settings settings, PostgresMigrations.Schema schema) {
        var pools = new PostgresPools(address);
        try (var start = pools.forStart()) {
            var durability = check(address, start, settings.strict());
            PostgresMigrations.run(start, schema);
            var backend = new PostgresBackend(
                    pools.writers(
                            settings.writers(), settings.patience(), durability.synchronousCommit(), settings.strict()),
                    pools.readers(settings.readers()));
            return new Opened(backend, durability.weaknesses());
        } catch (SQLException | FlywayException e) {
            throw refused("cannot use the database " + address + ": " + reason(e), e);
        }
    }

    // A pool says that it waited in vain, and has why as its cause.
    private static String reason(Exception failure) {
        var cause = failure.getCause();
        return failure instanceof SQLTransientConnectionException && cause != null
                ? String.valueOf(cause.getMessage())
                : String.valueOf(failure.getMessage());
    }

    private static PostgresDurability check(PostgresAddress address, HikariDataSource source, boolean strict)
            throws SQLException {
        try (var connection = source.getConnection()) {
            int version = connection.getMetaData().getDatabaseMajorVersion();
            if (version < OLDEST_SERVER) {
                throw refused(address + " is PostgreSQL " + version + "; version " + OLDEST_SERVER
                        + " is the oldest that works");
            }
            refuseUnlessUtf8(address, connection);
            if (PostgresDurability.setting(connection, "transaction_read_only").equals("on")) {
                throw refused(address + " takes no writes: give the server that does, or one that may write");
            }
            var durability = PostgresDurability.of(connection, address.hosts().contains(","));
            if (strict && !durability.weaknesses().isEmpty()) {
                throw refused("durability is strict, and " + address + " can lose an acknowledged write: "
                        + String.join("; ", durability.weaknesses()) + ". Or accept the loss with durability: relaxed");
            }
            return durability;
        }
    }

    private static void refuseUnlessUtf8(PostgresAddress address, Connection connection) throws SQLException {
        var encoding = PostgresDurability.setting(connection, "server_encoding");
        if (!encoding.equals("UTF8")) {
            throw refused(address + " keeps text as " + encoding + "; create the database with ENCODING 'UTF8'");
        }
    }

    private static StoreUnavailable refused(String why) {
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FAILED, why);
    }

    private static StoreUnavailable refused(String why, Exception cause) {
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FAILED, why, cause);
    }
}
