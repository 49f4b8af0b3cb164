package dev.nonbis.server.store.sql;

import static dev.nonbis.testkit.store.ContractTables.AUDIT;
import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.delete;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static dev.nonbis.testkit.store.ContractTables.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.WriteConflict;
import dev.nonbis.server.store.sql.SqlBackend.JournalMark;
import dev.nonbis.testkit.store.ContractTables.Change;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class JournaledBackendTest {

    @TempDir
    Path directory;

    @Test
    void a_closed_store_leaves_its_rows_in_the_database_and_no_journal() {
        try (var store = open()) {
            store.apply(List.of(insert(KEYS, "k", "|")));
            assertThat(first()).exists();
        }

        assertThat(first()).doesNotExist();
        try (var database = database()) {
            assertThat(database.get(KEYS.row("k"))).isPresent();
        }
    }

    @Test
    void what_only_the_journal_has_is_in_the_database_after_the_next_start() throws Exception {
        open().close();
        JournalMark mark;
        try (var database = database()) {
            mark = database.beginJournal();
        }
        try (var journal = Journal.open(file(), mark)) {
            journal.append(List.of(insert(JOBS, "t/1", "state:A|one")), mark.position());
            journal.append(List.of(update(JOBS, "t/1", 1, new Change("state:A|one", "state:B|two"))), mark.position());
            journal.append(List.of(insert(JOBS, "t/2", "state:A|"), insert(KEYS, "k", "|")), mark.position());
            journal.append(List.of(delete(JOBS, "t/2", 1, "state:A|")), mark.position());
        }

        for (int start = 0; start < 2; start++) {
            try (var store = open()) {
                var job = store.get(JOBS.row("t/1")).orElseThrow();
                assertThat(job.version()).isEqualTo(2);
                assertThat(new String(job.body(), StandardCharsets.UTF_8)).isEqualTo("state:B|two");
                assertThat(store.get(JOBS.row("t/2"))).isEmpty();
                assertThat(store.get(KEYS.row("k"))).isPresent();
            }
        }
    }

    @Test
    void a_start_that_was_killed_while_it_caught_up_is_repeated_without_doing_anything_twice() throws Exception {
        open().close();
        JournalMark mark;
        byte[] left;
        try (var database = database()) {
            mark = database.beginJournal();
        }
        try (var journal = Journal.open(file(), mark)) {
            journal.append(List.of(insert(KEYS, "k", "|")), mark.position());
        }
        left = Files.readAllBytes(first());
        open().close();
        Files.write(first(), left);

        try (var store = open()) {
            assertThat(store.get(KEYS.row("k"))).isPresent();
        }
    }

    // In a thread of its own: a store whose readers wait for one another cannot be closed either.
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void what_was_acknowledged_is_found_by_its_name_while_the_disk_is_full() throws Exception {
        try (var disk = SmallDisk.below(directory, 10)) {
            var ballast = Files.write(disk.path.resolve("ballast"), new byte[7_000_000]);
            try (var store = SqliteStore.open(disk.path.resolve("nonbis.db"), failure -> {
                throw new AssertionError(failure);
            })) {
                int acknowledged = fill(store);
                assertThat(found(store, acknowledged)).isEqualTo(acknowledged);
                assertThat(absentForManyAtOnce(store)).isTrue();

                Files.delete(ballast);
                store.apply(List.of(insert(KEYS, "room", "|")));
                assertThat(found(store, acknowledged)).isEqualTo(acknowledged);
                assertThat(store.<Integer>read(snapshot -> snapshot.scan(
                                        Range.keysStartingWith(AUDIT, "a").limit(1000))
                                .size()))
                        .isEqualTo(acknowledged);
            }
        }
    }

    /** How many rows it took. */
    private static int fill(Backend store) {
        for (int i = 0; i < 1000; i++) {
            try {
                store.apply(List.of(insert(AUDIT, "a" + i, "x".repeat(20_000))));
            } catch (StoreUnavailable full) {
                assertThat(full.why()).isEqualTo(StoreUnavailable.Cause.FULL);
                return i;
            }
        }
        throw new AssertionError("still not full");
    }

    /** As many as there are connections for reading look at once, each from within a read. */
    private static boolean absentForManyAtOnce(Backend store) throws Exception {
        int readers = 4;
        var together = new CyclicBarrier(readers);
        var looks = new ArrayList<CompletableFuture<Boolean>>();
        for (int i = 0; i < readers; i++) {
            looks.add(CompletableFuture.supplyAsync(
                    () -> store.read(snapshot -> {
                        await(together);
                        return snapshot.get(AUDIT.row("nobody")).isEmpty();
                    }),
                    Thread::startVirtualThread));
        }
        boolean absent = true;
        for (var look : looks) {
            absent &= look.get(20, TimeUnit.SECONDS);
        }
        return absent;
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int found(Backend store, int acknowledged) {
        return store.read(snapshot -> {
            int found = 0;
            for (int i = 0; i < acknowledged; i++) {
                found += snapshot.get(AUDIT.row("a" + i)).isPresent() ? 1 : 0;
            }
            return found;
        });
    }

    @Test
    void a_journal_of_another_database_is_refused_by_name_and_left_alone() throws Exception {
        try (var journal = Journal.open(file(), new JournalMark(1, 0, 1))) {
            journal.append(List.of(insert(KEYS, "k", "|")), 0);
        }
        byte[] before = Files.readAllBytes(first());

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailable.class)
                .hasMessageContaining("nonbis.db")
                .hasMessageContaining("another database");

        assertThat(Files.readAllBytes(first())).isEqualTo(before);
        // The refusal let go of the files.
        Files.delete(first());
        open().close();
    }

    @Test
    void rows_are_checked_before_anything_is_acknowledged_wherever_they_are() {
        try (var store = open()) {
            store.apply(List.of(insert(JOBS, "t/1", "state:A|"), insert(JOBS, "t/2", "state:A|")));

            for (int round = 0; round < 2; round++) {
                assertConflict(store, insert(JOBS, "t/1", "|"));
                assertConflict(store, update(JOBS, "t/1", 7, new Change("state:A|", "|")));
                assertConflict(store, update(JOBS, "t/9", 1, new Change("|", "|")));
                assertConflict(store, delete(JOBS, "t/2", 2, "state:A|"));
                assertConflict(store, new Write.Expect(JOBS.row("t/2"), 2));
                assertConflict(store, new Write.Expect(JOBS.row("t/9"), 1));
                store.apply(List.of(new Write.Expect(JOBS.row("t/2"), 1), new Write.Expect(JOBS.row("t/9"), 0)));
                // Once they are ahead of the database, and once they are not.
                assertThat(count(store)).isEqualTo(2);
            }
        }
    }

    @Test
    void whoever_reads_many_rows_sees_all_that_was_acknowledged() {
        try (var store = open()) {
            for (int i = 1; i <= 50; i++) {
                store.apply(List.of(insert(JOBS, "t/%03d".formatted(i), "state:A|")));
                assertThat(count(store)).isEqualTo(i);
            }
        }
    }

    @Test
    void while_the_database_is_full_nothing_more_is_acknowledged_and_nothing_acknowledged_is_lost() throws Exception {
        var database = database();
        var mark = database.beginJournal();
        var store = new JournaledBackend(database, Journal.open(file(), mark));
        try (store) {
            store.apply(List.of(insert(KEYS, "before", "|")));
            assertThat(count(store)).isZero();
            limit(database, 200);

            int acknowledged = 0;
            StoreUnavailable told = null;
            while (told == null) {
                try {
                    store.apply(List.of(insert(AUDIT, "a/%03d".formatted(acknowledged), "x".repeat(50_000))));
                    acknowledged++;
                    count(store);
                } catch (StoreUnavailable e) {
                    told = e;
                }
            }

            assertThat(told.why()).isEqualTo(Cause.FULL);
            assertThat(told.fate()).isEqualTo(Fate.DID_NOT_HAPPEN);
            assertThat(store.get(KEYS.row("before"))).isPresent();
            for (int i = 0; i < acknowledged; i++) {
                assertThat(store.get(AUDIT.row("a/%03d".formatted(i)))).isPresent();
            }
            assertThat(store.get(AUDIT.row("a/%03d".formatted(acknowledged)))).isEmpty();

            limit(database, 100_000);
            store.apply(List.of(insert(KEYS, "after", "|")));
            var rows = store.read(snapshot ->
                    snapshot.scan(Range.keysStartingWith(AUDIT, "a/").limit(1000)));
            assertThat(rows).hasSize(acknowledged);
        }
    }

    @Test
    void a_store_that_is_closed_while_the_database_is_full_keeps_its_journal() throws Exception {
        var database = database();
        var store = new JournaledBackend(database, Journal.open(file(), database.beginJournal()));
        store.apply(List.of(insert(KEYS, "before", "|")));
        assertThat(count(store)).isZero();
        limit(database, 1);
        store.apply(List.of(insert(AUDIT, "large", "x".repeat(500_000))));
        store.close();

        assertThat(first()).exists();
        try (var again = open()) {
            assertThat(again.get(AUDIT.row("large"))).isPresent();
        }
    }

    @Test
    void what_the_database_refuses_after_it_was_acknowledged_ends_everything() throws Exception {
        var heard = new CompletableFuture<Throwable>();
        var database = SqlBackend.open(SqliteDialect.at(file()), heard::complete);
        try (var store = new JournaledBackend(database, Journal.open(file(), database.beginJournal()))) {
            store.apply(List.of(insert(JOBS, "t/1", "state:A|")));
            assertThat(count(store)).isEqualTo(1);
            // Behind the store's back, which nobody does.
            database.apply(List.of(insert(JOBS, "t/5", "state:A|")));

            store.apply(List.of(insert(JOBS, "t/5", "state:B|")));

            assertThat(heard.get(10, TimeUnit.SECONDS)).isInstanceOf(WriteConflict.class);
            assertThatThrownBy(() -> store.apply(List.of(insert(KEYS, "k", "|"))))
                    .isInstanceOf(StoreUnavailable.class);
            assertThatThrownBy(() -> count(store)).isInstanceOf(StoreUnavailable.class);
        }
        assertThat(first()).exists();
    }

    private static int count(Backend store) {
        return store.read(snapshot ->
                        snapshot.scan(Range.keysStartingWith(JOBS, "t/").limit(1000)))
                .size();
    }

    private static void assertConflict(Backend store, Write write) {
        assertThatThrownBy(() -> store.apply(List.of(insert(KEYS, "beside", "|"), write)))
                .isInstanceOf(WriteConflict.class);
        assertThat(store.get(KEYS.row("beside"))).isEmpty();
    }

    // The database has the least of this and the pages it has already.
    private static void limit(SqlBackend database, int pages) throws SQLException {
        try (var rows =
                database.writer().prepare("PRAGMA max_page_count = " + pages).executeQuery()) {
            assertThat(rows.getInt(1)).isPositive();
        }
    }

    private Backend open() {
        return SqliteStore.open(file(), failure -> {
            throw new AssertionError(failure);
        });
    }

    private SqlBackend database() {
        return SqlBackend.open(SqliteDialect.at(file()), failure -> {
            throw new AssertionError(failure);
        });
    }

    private Path file() {
        return directory.resolve("nonbis.db");
    }

    private Path first() {
        return directory.resolve("nonbis.db.journal-1");
    }
}
