package dev.nonbis.server.store.sql;

import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.TENANTS;
import static dev.nonbis.testkit.store.ContractTables.delete;
import static dev.nonbis.testkit.store.ContractTables.index;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static dev.nonbis.testkit.store.ContractTables.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import dev.nonbis.server.store.sql.Journal.Batch;
import dev.nonbis.testkit.store.ContractTables.Change;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MergedWritesTest {

    private static final List<String> JOB_VALUES = List.of(
            "state:A label:x|",
            "state:B label:x|",
            "state:A|",
            "state:B label:x label:y|",
            "label:y|",
            "due:1 state:A|");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void batches_that_come_together_leave_what_they_leave_one_by_one(long seed) throws Exception {
        var batches = new History(new Random(seed)).batches(60);

        assertThat(after(List.of(batches), "together"))
                .isEqualTo(after(batches.stream().map(List::of).toList(), "alone"));
    }

    @Test
    void a_row_in_no_order_that_every_batch_changes_is_written_once() throws Exception {
        var batches = new ArrayList<Batch>();
        batches.add(new Batch(1, List.of(insert(TENANTS, "t", "0"))));
        for (int i = 1; i < 30; i++) {
            batches.add(new Batch(i + 1, List.of(update(TENANTS, "t", i, new Change(i - 1 + "", i + "")))));
        }
        try (var database = open("counted");
                var connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("counted"));
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE counted (n INTEGER)");
            statement.execute("CREATE TRIGGER count AFTER UPDATE ON tenants BEGIN INSERT INTO counted VALUES (1); END");

            database.follow(batches);

            var tenant = database.get(TENANTS.row("t")).orElseThrow();
            assertThat(tenant.version()).isEqualTo(30);
            assertThat(new String(tenant.body(), StandardCharsets.UTF_8)).isEqualTo("29");
            try (var rows = statement.executeQuery("SELECT count(*) FROM counted")) {
                assertThat(rows.getInt(1)).isEqualTo(1);
            }
        }
    }

    private List<String> after(List<List<Batch>> steps, String name) throws SQLException {
        var found = new ArrayList<String>();
        try (var database = open(name)) {
            steps.forEach(database::follow);
            var labels = Range.entriesStartingWith(JOBS, index(JOBS, "label"), "");
            database.read(snapshot -> snapshot.scan(labels)).forEach(hit -> found.add(hit.position()));
        }
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(name));
                var statement = connection.createStatement()) {
            for (var columns : List.of(
                    "id || ' ' || version || ' ' || body FROM tenants",
                    "id || ' ' || version || ' ' || body || ' ' || ifnull(by_due, '-') || ' ' || ifnull(by_state, '-') FROM jobs")) {
                try (var rows = statement.executeQuery("SELECT " + columns + " ORDER BY 1")) {
                    while (rows.next()) {
                        found.add(rows.getString(1));
                    }
                }
            }
        }
        return found;
    }

    private SqlBackend open(String name) {
        return SqlBackend.open(SqliteDialect.at(directory.resolve(name)), failure -> {
            throw new AssertionError(failure);
        });
    }

    /** What comes and goes in few rows, so that the same ones are met again and again. */
    private static final class History {

        private final Random random;
        private final Map<String, Row> rows = new HashMap<>();

        private record Row(long version, String value) {}

        History(Random random) {
            this.random = random;
        }

        List<Batch> batches(int count) {
            var batches = new ArrayList<Batch>();
            for (int i = 1; i <= count; i++) {
                var writes = new ArrayList<Write>();
                if (random.nextInt(3) > 0) {
                    writes.add(next(TENANTS, "t", "|" + i));
                }
                for (int job = 0; job < 6; job++) {
                    if (random.nextInt(4) == 0) {
                        writes.add(next(JOBS, "t/" + job, JOB_VALUES.get(random.nextInt(JOB_VALUES.size())) + rest(i)));
                    }
                }
                batches.add(new Batch(i, writes));
            }
            return batches;
        }

        // Long bodies take a way of their own.
        private String rest(int batch) {
            return batch + (random.nextInt(5) == 0 ? "x".repeat(20_000) : "");
        }

        private Write next(Table<String, String> table, String key, String value) {
            var row = rows.get(key);
            if (row == null) {
                rows.put(key, new Row(1, value));
                return insert(table, key, value);
            }
            if (random.nextInt(4) == 0) {
                rows.remove(key);
                return delete(table, key, row.version, row.value);
            }
            if (random.nextInt(6) == 0) {
                return new Write.Expect(table.row(key), row.version);
            }
            rows.put(key, new Row(row.version + 1, value));
            return update(table, key, row.version, new Change(row.value, value));
        }
    }
}
