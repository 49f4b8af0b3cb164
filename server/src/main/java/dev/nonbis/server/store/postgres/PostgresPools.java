package dev.nonbis.server.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;

/** How we connect, and how sessions are set up. */
final class PostgresPools {

    private static final Duration CONNECT = Duration.ofSeconds(3);
    // Longer than any statement of ours may take on the server, so that only a dead network runs into it.
    private static final Duration SILENCE = Duration.ofSeconds(15);
    private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(10);
    // A server that stops between two statements, without its connection being closed, holds its locks no longer than
    // this.
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    // Every statement of ours goes by a key or along an index. What the planner thinks of a table that was small a
    // minute ago must not
    // change that, and need not be thought again for each call.
    private static final List<String> PLANS = List.of(
            "SET enable_seqscan = off",
            "SET enable_hashjoin = off",
            "SET enable_mergejoin = off",
            "SET jit = off",
            "SET plan_cache_mode = force_generic_plan");

    // What goes wrong is told to whoever asked, once. The logging framework holds loggers weakly; this keeps the level.
    private static final Logger POOL_LOGGER = Logger.getLogger("com.zaxxer.hikari");

    private final PostgresAddress address;

    PostgresPools(PostgresAddress address) {
        this.address = address;
        POOL_LOGGER.setLevel(Level.OFF);
    }

    /** For what is done once, at the start. */
    HikariDataSource forStart() {
        return pool("start", 2, List.of());
    }

    /**
     * For transactions that write.
     *
     * @param synchronousCommit kept for the life of each session, so that a changed default cannot weaken what was checked at the start
     * @param strict whether a session is refused on a server that was restarted with settings that lose what it acknowledged
     */
    HikariDataSource writers(int most, Duration patience, String synchronousCommit, boolean strict) {
        return pool(
                "writers",
                most,
                List.of(
                        strict ? PostgresDurability.REFUSE_UNLESS_FLUSHED : "SELECT 1",
                        // A snapshot from before a lock was had would show rows as they were before it.
                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE",
                        "SET lock_timeout = " + patience.toMillis(),
                        "SET statement_timeout = " + LONGEST_STATEMENT.toMillis(),
                        "SET idle_in_transaction_session_timeout = " + LONGEST_PAUSE.toMillis(),
                        "SET synchronous_commit = '" + synchronousCommit + "'"));
    }

    HikariDataSource readers(int most) {
        return pool(
                "readers",
                most,
                List.of(
                        "SET statement_timeout = " + LONGEST_STATEMENT.toMillis(),
                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"));
    }

    private HikariDataSource pool(String name, int most, List<String> settings) {
        var config = new HikariConfig();
        config.setPoolName("nonbis-" + name);
        config.setJdbcUrl("jdbc:postgresql://" + address.hosts() + "/"
                + URLEncoder.encode(address.database(), StandardCharsets.UTF_8).replace("+", "%20"));
        config.setDataSourceProperties(properties());
        config.setMaximumPoolSize(most);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECT.toMillis());
        config.setInitializationFailTimeout(-1);
        config.setAutoCommit(!name.equals("writers"));
        // Otherwise the settings below belong to the first transaction and are gone if it is rolled back.
        config.setIsolateInternalQueries(true);
        if (!settings.isEmpty()) {
            config.setConnectionInitSql(String.join("; ", settings) + "; " + String.join("; ", PLANS));
        }
        return new HikariDataSource(config);
    }

    private Properties properties() {
        var properties = new Properties();
        properties.putAll(address.options());
        properties.setProperty("user", address.user());
        properties.setProperty("password", address.password());
        properties.setProperty("ApplicationName", "nonbis");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("connectTimeout", Long.toString(CONNECT.toSeconds()));
        properties.setProperty("socketTimeout", Long.toString(SILENCE.toSeconds()));
        properties.setProperty("prepareThreshold", "1");
        properties.setProperty("preparedStatementCacheQueries", "512");
        properties.setProperty("preparedStatementCacheSizeMiB", "16");
        if (address.hosts().contains(",")) {
            properties.setProperty("targetServerType", "primary");
        }
        return properties;
    }
}
