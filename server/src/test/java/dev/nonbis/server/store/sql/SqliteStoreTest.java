package dev.nonbis.server.store.sql;

import static dev.nonbis.testkit.store.ContractTables.ALL;
import static dev.nonbis.testkit.store.ContractTables.AUDIT;
import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.index;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static dev.nonbis.testkit.store.ContractTables.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tables;
import dev.nonbis.testkit.store.ContractTables.Change;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteStoreTest {

    @TempDir
    Path directory;

    @Test
    void every_commit_is_flushed() throws Exception {
        try (var backend = open(file())) {
            assertThat(ask(backend, "PRAGMA journal_mode")).isEqualTo("wal");
            assertThat(ask(backend, "PRAGMA synchronous")).isEqualTo("2");
        }
    }

    @Test
    void a_new_file_has_large_pages_and_one_that_is_there_keeps_its_own() throws Exception {
        try (var backend = open(file())) {
            assertThat(ask(backend, "PRAGMA page_size")).isEqualTo("8192");
        }
        Files.delete(file());
        sql("VACUUM");
        try (var backend = open(file())) {
            assertThat(ask(backend, "PRAGMA page_size")).isEqualTo("4096");
        }
    }

    @Test
    void a_missing_directory_is_created_for_its_owner_alone() throws Exception {
        var nested = directory.resolve("new/data");
        open(nested.resolve("nonbis.db")).close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(nested)))
                .isEqualTo("rwx------");
        assertThat(nested.resolve("nonbis.db")).exists();
    }

    @Test
    void a_directory_that_cannot_be_created_is_named() throws Exception {
        var inTheWay = Files.writeString(directory.resolve("file"), "not a directory");

        assertRefused(inTheWay.resolve("nonbis.db"), inTheWay.toString());
    }

    @Test
    void a_second_server_on_the_same_file_is_refused() {
        try (var backend = open(file())) {
            backend.apply(List.of(insert(KEYS, "k", "|")));

            assertRefused(file(), "has the database open");
            assertRefused(file(), file().getFileName().toString());
            assertThat(backend.fetch(List.of(KEYS.row("k")))).hasSize(1);
        }
        open(file()).close();
    }

    @Test
    void a_file_of_a_newer_server_is_refused_with_both_versions() throws Exception {
        open(file()).close();
        sql("INSERT INTO flyway_schema_history (installed_rank, version, description, type, script, installed_by,"
                + " execution_time, success) VALUES (9, '7', 'later', 'SQL', 'V7__later.sql', 'x', 1, 1)");

        assertRefused(file(), "version 7");
        assertRefused(file(), "up to " + SqliteMigrations.CURRENT_VERSION);
    }

    @Test
    void the_current_version_is_that_of_the_newest_migration() throws Exception {
        try (var files = Files.list(Path.of("src/main/resources/db/sqlite"))) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .allMatch(name -> name.matches("V\\d+__\\w+\\.sql"))
                    .extracting(name -> Integer.parseInt(name.substring(1, name.indexOf("__"))))
                    .hasSize(SqliteMigrations.CURRENT_VERSION - SqliteMigrations.FIRST_VERSION + 1)
                    .contains(SqliteMigrations.CURRENT_VERSION);
        }
    }

    @Test
    void a_file_from_before_the_first_release_is_refused_with_both_versions() throws Exception {
        open(file()).close();
        sql("UPDATE flyway_schema_history SET version = '3'");

        assertRefused(file(), "version 3");
        assertRefused(file(), "knows version " + SqliteMigrations.FIRST_VERSION + " and later");
    }

    @Test
    void something_that_is_not_a_database_is_refused_and_left_alone() throws Exception {
        var text = "This is a letter, and it is long enough to be taken for a header. ".repeat(100);
        Files.writeString(file(), text);

        assertRefused(file(), "is not a database");
        assertThat(file()).hasContent(text);
        // The refusal let go of the file.
        Files.delete(file());
        open(file()).close();
    }

    @Test
    void libraries_that_killed_servers_left_behind_are_removed() throws Exception {
        var before = System.clearProperty("org.sqlite.tmpdir");
        try {
            var stale = Files.createDirectories(directory.resolve("native")).resolve("sqlite-0.0-x-libsqlitejdbc.so");
            Files.writeString(stale, "old");

            open(file()).close();

            assertThat(stale).doesNotExist();
        } finally {
            if (before != null) {
                System.setProperty("org.sqlite.tmpdir", before);
            }
        }
    }

    @Test
    void a_full_database_refuses_writes_whole_and_works_again_when_there_is_room() throws Exception {
        try (var backend = open(file())) {
            var full = fill(backend, () -> ask(backend, "PRAGMA max_page_count = 200"));
            assertFull(full);
            assertThat(backend.fetch(List.of(KEYS.row("with the last"), KEYS.row("k"))))
                    .containsOnlyKeys(KEYS.row("k"));

            ask(backend, "PRAGMA max_page_count = 100000");
            backend.apply(List.of(insert(KEYS, "with the last", "|"), insert(AUDIT, "more", "x".repeat(100_000))));
            assertThat(backend.fetch(List.of(KEYS.row("with the last")))).hasSize(1);
        }
    }

    @Test
    void a_full_disk_refuses_writes_whole_and_works_again_when_there_is_room() throws Exception {
        try (var disk = SmallDisk.below(directory, 3)) {
            var ballast = Files.write(disk.path.resolve("ballast"), new byte[500_000]);
            try (var backend = open(disk.path.resolve("nonbis.db"))) {
                assertFull(fill(backend, () -> ""));
                assertThat(backend.fetch(List.of(KEYS.row("with the last"), KEYS.row("k"))))
                        .containsOnlyKeys(KEYS.row("k"));

                Files.delete(ballast);
                backend.apply(List.of(insert(KEYS, "with the last", "|"), insert(AUDIT, "more", "x".repeat(10_000))));
                assertThat(backend.<Boolean>read(snapshot ->
                                snapshot.get(KEYS.row("with the last")).isPresent()))
                        .isTrue();
            }
        }
    }

    @Test
    void looks_between_two_commits_see_the_last_of_them() throws Exception {
        try (var backend = open(file());
                var readers = Executors.newFixedThreadPool(3)) {
            backend.apply(List.of(insert(KEYS, "k", "|")));
            for (int version = 1; version <= 300; version++) {
                long expected = version;
                var looks = Stream.generate(() -> readers.submit(
                                () -> backend.get(KEYS.row("k")).orElseThrow().version()))
                        .limit(6)
                        .toList();
                for (var look : looks) {
                    assertThat(look.get()).isEqualTo(expected);
                }
                backend.apply(List.of(update(KEYS, "k", version, new Change("|", "|"))));
            }
        }
    }

    @Test
    void the_log_is_started_over_under_steady_writing_and_reading() throws Exception {
        var done = new AtomicBoolean();
        try (var backend = open(file());
                var readers = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 2; i++) {
                readers.execute(() -> {
                    while (!done.get()) {
                        backend.read(snapshot ->
                                snapshot.scan(Range.keysStartingWith(AUDIT, "a").limit(3)));
                    }
                });
                readers.execute(() -> {
                    while (!done.get()) {
                        backend.get(KEYS.row("k"));
                    }
                });
            }
            writeMuch(backend, done);

            assertThat(Files.size(directory.resolve("nonbis.db-wal"))).isLessThan(150L << 20);
        }
    }

    @Test
    void readers_of_whom_one_is_always_there_cannot_make_the_log_grow() throws Exception {
        var done = new AtomicBoolean();
        // Without its journal: there readers wait for what was written last.
        try (var backend = SqlBackend.open(SqliteDialect.at(file()), why -> {});
                var readers = Executors.newFixedThreadPool(3)) {
            for (int i = 0; i < 3; i++) {
                readers.execute(() -> {
                    while (!done.get()) {
                        backend.read(snapshot -> {
                            var found = snapshot.scan(
                                    Range.keysStartingWith(AUDIT, "a").limit(1));
                            // Much longer than the writer waits for readers who still need the log.
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
                            return found;
                        });
                    }
                });
            }
            writeMuch(backend, done);

            assertThat(Files.size(directory.resolve("nonbis.db-wal"))).isLessThan(150L << 20);
        }
    }

    @Test
    void a_log_that_was_needed_for_long_is_short_again_afterwards() throws Exception {
        var begun = new CountDownLatch(1);
        var leave = new CountDownLatch(1);
        try (var backend = SqlBackend.open(SqliteDialect.at(file()), why -> {});
                var readers = Executors.newSingleThreadExecutor()) {
            var reading = readers.submit(() -> backend.read(snapshot -> {
                var found = snapshot.scan(Range.keysStartingWith(AUDIT, "a").limit(1));
                begun.countDown();
                assertThatCode(leave::await).doesNotThrowAnyException();
                return found;
            }));
            begun.await();
            assertThat(longestLog(backend, "a", 130)).isGreaterThan(14_000);
            leave.countDown();
            reading.get();
            // Whoever writes has it copied; when all of it is, the next begins it anew.
            var names = new AtomicInteger();
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        boolean isCopied = pagesOfLog(backend, 3) == pagesOfLog(backend, 2);
                        if (!isCopied) {
                            backend.apply(
                                    List.of(insert(AUDIT, "b1" + names.incrementAndGet(), "x".repeat(20_000_000))));
                        }
                        return isCopied;
                    });
            backend.apply(List.of(insert(AUDIT, "b2", "x")));
            assertThat(pagesOfLog(backend, 2)).isLessThan(100);

            // From 14,000 pages on it is started over; the row that passes them takes some 150.
            assertThat(longestLog(backend, "c", 130)).isLessThan(14_200);
        }
    }

    /** Writes 240 MB and says when that is done. */
    private static void writeMuch(Backend backend, AtomicBoolean done) {
        try {
            for (int i = 0; i < 200; i++) {
                backend.apply(List.of(insert(AUDIT, "a%04d".formatted(i), "x".repeat(1_200_000))));
            }
        } finally {
            done.set(true);
        }
    }

    /** Writes so many rows of 1.2 MB and returns how many pages the log had at most. */
    private static int longestLog(SqlBackend backend, String prefix, int rows) throws SQLException {
        int longest = 0;
        for (int i = 0; i < rows; i++) {
            backend.apply(List.of(insert(AUDIT, prefix + "%04d".formatted(i), "x".repeat(1_200_000))));
            longest = Math.max(longest, pagesOfLog(backend, 2));
        }
        return longest;
    }

    /** How many there are in all, in the second column, or were copied, in the third. */
    private static int pagesOfLog(SqlBackend backend, int column) throws SQLException {
        try (var log = backend.writer().prepare("PRAGMA wal_checkpoint(NOOP)").executeQuery()) {
            return log.getInt(column);
        }
    }

    @Test
    void no_statement_walks_through_a_table() throws Exception {
        try (var dialect = SqliteDialect.at(file());
                var connection = dialect.openWriter();
                var statement = connection.createStatement()) {
            for (var table : ALL) {
                for (var sql : statements(new SqlTable(dialect, table, Optional.empty()))) {
                    assertThat(plan(statement, sql))
                            .as(sql)
                            .noneMatch(line -> line.startsWith("SCAN c") || line.startsWith("SCAN " + table.name()));
                }
                assertThat(plan(statement, new SqlTable(dialect, table, Optional.empty()).getAt))
                        .containsExactly("SEARCH " + table.name() + " USING INTEGER PRIMARY KEY (rowid=?)");
                assertThat(plan(statement, new SqlTable(dialect, table, Optional.empty()).names))
                        .allMatch(line -> line.contains("COVERING"));
            }
        }
    }

    @Test
    void every_range_goes_along_an_index_in_its_order() throws Exception {
        try (var dialect = SqliteDialect.at(file());
                var connection = dialect.openWriter();
                var statement = connection.createStatement()) {
            for (var table : Tables.ALL) {
                for (var sql : scans(dialect, connection, table)) {
                    assertThat(plan(statement, sql))
                            .as(sql)
                            .isNotEmpty()
                            .allMatch(line -> line.startsWith("SEARCH") || line.matches("(SCALAR|REUSE) SUBQUERY 1"));
                }
            }
        }
    }

    private static <V> List<String> scans(SqlDialect dialect, Connection connection, Table<?, V> table)
            throws SQLException {
        var kept = new SqlTable(dialect, table, Optional.empty());
        var ranges = new ArrayList<Range<V>>();
        ranges.add(Range.keysStartingWith(table, "t/"));
        table.indexes().forEach(index -> ranges.add(Range.entriesStartingWith(table, index, "t/")));
        var statements = new ArrayList<String>();
        for (var range : ranges) {
            var after = Optional.of(range.index().isPresent() ? Range.position("t/5", "t/7") : "t/5");
            for (var one : List.of(
                    range,
                    range.newestFirst(),
                    range.after(after),
                    range.newestFirst().after(after))) {
                var postings = one.index().flatMap(kept::postings);
                if (postings.isPresent()) {
                    statements.add(new PostingsScan(postings.get(), one).sql());
                } else {
                    SqlScan.run(
                            sql -> {
                                statements.add(sql);
                                return connection.prepareStatement(sql);
                            },
                            one,
                            SqlScan.Sends.EACH_ROW);
                }
            }
        }
        return statements;
    }

    private static List<String> plan(Statement statement, String sql) throws SQLException {
        var plan = new ArrayList<String>();
        try (var rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
            while (rows.next()) {
                plan.add(rows.getString("detail"));
            }
        }
        return plan;
    }

    private static List<String> statements(SqlTable table) {
        var chunked = Stream.concat(
                Stream.of(table.fetch, table.insert, table.delete),
                table.indexes.stream().flatMap(index -> Stream.of(index.find, index.insert)));
        return Stream.concat(
                        Stream.of(
                                table.get,
                                table.getAt,
                                table.names,
                                table.update(0),
                                table.update((1 << table.columns.size()) - 1)),
                        Stream.concat(
                                table.indexes.stream().flatMap(index -> Stream.of(index.update, index.delete)),
                                chunked.flatMap(sql -> sql.byPower().stream())))
                .toList();
    }

    private interface Limit {
        String set() throws SQLException;
    }

    private static StoreUnavailable fill(SqlBackend backend, Limit limit) throws SQLException {
        backend.apply(List.of(insert(KEYS, "k", "|"), insert(JOBS, "j", "state:A|")));
        limit.set();
        for (int i = 0; i < 1000; i++) {
            try {
                backend.apply(List.of(insert(AUDIT, "a%05d".formatted(i), "x".repeat(20_000))));
            } catch (StoreUnavailable e) {
                break;
            }
        }
        try {
            backend.apply(List.of(insert(KEYS, "with the last", "|"), insert(AUDIT, "last", "x".repeat(400_000))));
        } catch (StoreUnavailable e) {
            return e;
        }
        throw new AssertionError("still not full");
    }

    private static void assertFull(StoreUnavailable told) {
        assertThat(told.why()).isEqualTo(Cause.FULL);
        assertThat(told.fate()).isEqualTo(Fate.DID_NOT_HAPPEN);
    }

    private Path file() {
        return directory.resolve("nonbis.db");
    }

    private static SqlBackend open(Path file) {
        return SqlBackend.open(SqliteDialect.at(file), failure -> {
            throw new AssertionError(failure);
        });
    }

    private static void assertRefused(Path file, String message) {
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining(message);
    }

    private static String ask(SqlBackend backend, String pragma) throws SQLException {
        try (var rows = backend.writer().prepare(pragma).executeQuery()) {
            return rows.getString(1);
        }
    }

    private void sql(String text) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement()) {
            statement.execute(text);
        }
    }
}
