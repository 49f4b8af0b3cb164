package dev.nonbis.server.store.sql;

import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.TENANTS;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.store.Write;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AbsenceTest {

    private static final int MANY = 1234;

    @TempDir
    Path directory;

    private final Ahead ahead = new Ahead();
    private SqlBackend database;

    @BeforeEach
    void open() {
        database = SqlBackend.open(SqliteDialect.at(directory.resolve("nonbis.db")), failure -> {
            throw new AssertionError(failure);
        });
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_key_is_surely_absent_only_once_all_keys_are_known() {
        write(KEYS, "old-", MANY);
        var absence = new Absence(database, ahead);
        assertThat(absence.isSure(KEYS.row("new"))).isFalse();

        absence.learn(() -> true);
        assertThat(absence.isSure(KEYS.row("new"))).isFalse();

        absence.learn(() -> false);
        assertThat(absence.isSure(KEYS.row("new"))).isTrue();
        for (int i = 0; i < MANY; i++) {
            assertThat(absence.isSure(KEYS.row(name("old-", i)))).isFalse();
        }
    }

    @Test
    void a_key_that_was_inserted_is_no_longer_surely_absent() {
        var absence = new Absence(database, ahead);
        absence.learn(() -> false);

        absence.inserted(List.of(insert(KEYS, "k", "|")));

        assertThat(absence.isSure(KEYS.row("k"))).isFalse();
        assertThat(absence.isSureOfNew(KEYS.row("k"))).isFalse();
        assertThat(absence.isSureOfNew(KEYS.row("l"))).isTrue();
    }

    @Test
    void a_name_is_new_when_it_sorts_behind_all_that_its_owner_has() {
        write(JOBS, "acme/", 3);
        var absence = new Absence(database, ahead);

        assertThat(absence.isSureOfNew(JOBS.row("acme/00003"))).isTrue();
        assertThat(absence.isSureOfNew(JOBS.row("acme/00002"))).isFalse();
        assertThat(absence.isSureOfNew(JOBS.row("acme/00001x"))).isFalse();
        assertThat(absence.isSureOfNew(JOBS.row("other/00001"))).isTrue();
    }

    @Test
    void names_that_are_inserted_out_of_order_are_told_apart() {
        var absence = new Absence(database, ahead);

        absence.isSureOfNew(JOBS.row("acme/1"));
        absence.inserted(List.of(insert(JOBS, "acme/5", "|"), insert(JOBS, "acme/2", "|")));

        assertThat(absence.isSureOfNew(JOBS.row("acme/5"))).isFalse();
        assertThat(absence.isSureOfNew(JOBS.row("acme/2"))).isFalse();
        assertThat(absence.isSureOfNew(JOBS.row("acme/3"))).isTrue();
    }

    @Test
    void what_has_been_forgotten_is_not_called_new() {
        var absence = new Absence(database, ahead);
        absence.isSureOfNew(JOBS.row("acme/1"));
        for (int i = 0; i < 10_000; i++) {
            absence.inserted(List.of(insert(JOBS, name("acme/", i), "|")));
        }

        for (int i = 0; i < 10_000; i++) {
            assertThat(absence.isSureOfNew(JOBS.row(name("acme/", i)))).isFalse();
        }
        assertThat(absence.isSureOfNew(JOBS.row(name("acme/", 10_000)))).isTrue();
    }

    @Test
    void what_has_been_forgotten_is_not_called_new_in_whatever_order_it_came() {
        var absence = new Absence(database, ahead);
        absence.isSureOfNew(JOBS.row("acme/1"));
        var numbers = new ArrayList<>(IntStream.range(0, 30_000).boxed().toList());
        Collections.shuffle(numbers, new Random(7));
        for (int number : numbers) {
            absence.inserted(List.of(insert(JOBS, name("acme/", number), "|")));
        }

        for (int number : numbers) {
            assertThat(absence.isSureOfNew(JOBS.row(name("acme/", number)))).isFalse();
        }
        assertThat(absence.isSureOfNew(JOBS.row(name("acme/", 30_000)))).isTrue();
    }

    @Test
    void a_row_that_only_the_journal_had_when_others_were_asked_for_is_not_called_new_later() {
        var batch = new Journal.Batch(1, List.of(insert(JOBS, "acme/7", "|")));
        ahead.put(1, batch.writes());
        var absence = new Absence(database, ahead);
        assertThat(absence.isSureOfNew(JOBS.row("acme/5"))).isTrue();

        database.apply(batch.writes());
        ahead.forget(List.of(batch));

        assertThat(absence.isSureOfNew(JOBS.row("acme/7"))).isFalse();
    }

    @Test
    void with_many_owners_nothing_that_is_there_is_called_new() {
        var absence = new Absence(database, ahead);
        for (int owner = 0; owner < 300; owner++) {
            for (int i = 0; i < 300; i++) {
                var batch = new Journal.Batch(1, List.of(insert(JOBS, name("o%03d/".formatted(owner), i), "|")));
                absence.isSureOfNew(batch.writes().getFirst().row());
                ahead.put(1, batch.writes());
                absence.inserted(batch.writes());
            }
        }

        for (int owner = 0; owner < 300; owner += 7) {
            assertThat(absence.isSureOfNew(JOBS.row(name("o%03d/".formatted(owner), 299))))
                    .isFalse();
            assertThat(absence.isSureOfNew(JOBS.row(name("o%03d/".formatted(owner), 300))))
                    .isTrue();
        }
    }

    @Test
    void a_row_whose_name_is_its_owner_is_seen() {
        database.apply(List.of(insert(TENANTS, "acme", "|")));
        var absence = new Absence(database, ahead);

        assertThat(absence.isSureOfNew(TENANTS.row("acme"))).isFalse();
        assertThat(absence.isSureOfNew(TENANTS.row("acmf"))).isTrue();
    }

    // The database takes the first for the greater, Java the second.
    @Test
    void names_that_sort_in_two_ways_are_never_sure() {
        database.apply(List.of(insert(JOBS, "t/\uD83D\uDE00", "|"), insert(JOBS, "t/\uE000", "|")));
        var absence = new Absence(database, ahead);

        assertThat(absence.isSureOfNew(JOBS.row("t/\uE000"))).isFalse();
        assertThat(absence.isSureOfNew(JOBS.row("t/\uE001"))).isFalse();
    }

    private void write(dev.nonbis.core.store.Table<String, String> table, String prefix, int count) {
        var writes = new ArrayList<Write>();
        for (int i = 0; i < count; i++) {
            writes.add(insert(table, name(prefix, i), "|"));
        }
        database.apply(writes);
    }

    private static String name(String prefix, int number) {
        return prefix + "%05d".formatted(number);
    }
}
