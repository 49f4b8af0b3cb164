package dev.nonbis.server.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tables;
import dev.nonbis.server.store.sql.SqlScan;
import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.service.EveryRelease;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Asks PostgreSQL itself how it would carry out each statement on large tables; a million rows with {@code -Dnonbis.plans.rows=1000000}. */
@EveryRelease
final class PostgresPlansTest {

    private static final int ROWS = Integer.getInteger("nonbis.plans.rows", 20_000);
    private static final Pattern PARAMETER = Pattern.compile("\\?(::[a-z0-9]+\\[])?");

    private static @Nullable PostgresServer server;
    private static @Nullable Connection connection;

    @BeforeAll
    static void fill() throws Exception {
        server = Postgres.startOrSkip("max_wal_size = 4GB");
        server.createDatabase("plans");
        PostgresStore.open(Postgres.address(server, "plans"), Postgres.strict())
                .backend()
                .close();
        connection = DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + server.port() + "/plans", server.user(), "");
        try (var statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit = off");
            for (var table : Tables.ALL) {
                fill(statement, table);
            }
            statement.execute("ANALYZE");
        }
    }

    private static void fill(Statement statement, Table<?, ?> table) throws SQLException {
        var key = "'t' || g % 100 || '/' || lpad(g::text, 12, '0')";
        var entry = "'t' || g % 100 || '/' || lpad((g / 7)::text, 12, '0')";
        var from = " FROM generate_series(1, " + ROWS + ") AS g";
        var columns = new StringBuilder();
        for (var index : table.indexes()) {
            if (index.single()) {
                columns.append(", by_").append(index.name());
            } else {
                statement.execute(
                        "INSERT INTO " + table.name() + "_by_" + index.name() + " SELECT " + entry + ", " + key + from);
            }
        }
        long single = table.indexes().stream().filter(Index::single).count();
        statement.execute("INSERT INTO " + table.name() + " (id, version, body" + columns + ") SELECT " + key
                + ", 1, 'x'" + (", " + entry).repeat((int) single) + from);
    }

    @AfterAll
    static void stop() throws Exception {
        if (connection != null) {
            connection.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void no_statement_on_a_large_table_reads_all_of_it() throws Exception {
        var statements = new ArrayList<String>();
        for (var table : Tables.ALL) {
            var sql = PostgresTable.of(table);
            statements.addAll(List.of(sql.fetch(), sql.insert(), sql.update(), sql.delete(), sql.expect()));
            sql.indexes().forEach(index -> statements.addAll(List.of(index.insert(), index.delete())));
            statements.addAll(scans(table));
        }

        for (var sql : statements) {
            assertThat(plan(sql)).as(sql).doesNotContain("Seq Scan");
            if (!sql.startsWith("INSERT")) {
                // What only adds rows looks for none.
                assertThat(plan(sql)).as(sql).contains("Index");
            }
        }
        assertThat(statements).hasSizeGreaterThan(140);
    }

    @Test
    void a_statement_that_no_index_serves_would_show() throws Exception {
        assertThat(plan("SELECT id, version, body FROM jobs WHERE body = ANY(?::bytea[])"))
                .contains("Seq Scan");
    }

    private static <V> List<String> scans(Table<?, V> table) throws SQLException {
        var ranges = new ArrayList<Range<V>>();
        ranges.add(Range.keysStartingWith(table, "t1/"));
        for (Index<V> index : table.indexes()) {
            ranges.add(Range.entriesStartingWith(table, index, "t1/"));
        }
        var statements = new ArrayList<String>();
        for (var range : ranges) {
            var after = Optional.of(range.index().isPresent() ? Range.position("t1/5", "t1/7") : "t1/5");
            for (var one : List.of(
                    range,
                    range.newestFirst(),
                    range.after(after),
                    range.newestFirst().after(after),
                    range.bytes(1000),
                    range.newestFirst().after(after).bytes(1000))) {
                SqlScan.run(
                        sql -> {
                            statements.add(sql);
                            return connection().prepareStatement(sql);
                        },
                        one.limit(1),
                        SqlScan.Sends.ALL_ROWS);
            }
        }
        return statements;
    }

    // As the servers run it, with a plan that fits all parameters, but with every kind of plan allowed.
    private static String plan(String sql) throws SQLException {
        var types = new ArrayList<String>();
        var values = new ArrayList<String>();
        var match = PARAMETER.matcher(sql);
        var numbered = match.replaceAll(found -> {
            var type = found.group(1);
            types.add(typeOf(sql, Optional.ofNullable(type)));
            values.add("NULL");
            return "\\$" + types.size() + (type == null ? "" : type);
        });
        try (var statement = connection().createStatement()) {
            statement.execute("SET plan_cache_mode = force_generic_plan");
            statement.execute("PREPARE asked(" + String.join(", ", types) + ") AS " + numbered);
            try (var rows = statement.executeQuery("EXPLAIN EXECUTE asked(" + String.join(", ", values) + ")")) {
                var plan = new StringBuilder();
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
                return plan.toString();
            } finally {
                statement.execute("DEALLOCATE asked");
            }
        }
    }

    private static String typeOf(String sql, Optional<String> cast) {
        return cast.map(type -> type.substring(2)).orElse(sql.contains("ANY(?)") ? "text[]" : "unknown");
    }

    private static Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("PostgreSQL was not started");
        }
        return connection;
    }
}
