package dev.nonbis.server.store.sql;

import static dev.nonbis.testkit.store.ContractTables.AUDIT;
import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.delete;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static dev.nonbis.testkit.store.ContractTables.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.store.Write;
import dev.nonbis.server.store.sql.SqlBackend.JournalMark;
import dev.nonbis.testkit.store.ContractTables.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {

    private static final long BASE = 77;

    @TempDir
    Path directory;

    @Test
    void what_was_appended_comes_back_in_order() throws Exception {
        write(1, batch("a"), batch("b"), batch("c"));

        assertThat(read(0, 2)).containsExactly("1 a", "2 b", "3 c");
        assertThat(read(2, 3)).containsExactly("3 c");
        assertThat(read(3, 4)).isEmpty();
    }

    @Test
    void every_kind_of_write_comes_back_as_it_was() throws Exception {
        var writes = List.of(
                insert(JOBS, "é/1", "state:A label:x label:y|" + "b".repeat(3000)),
                update(JOBS, "t/2", 41, new Change("state:A due:1|", "state:B label:z|new")),
                delete(JOBS, "t/3", 7, "topic:t|"),
                insert(KEYS, "k", "|"));
        write(1, writes);

        try (var journal = open(0, 2)) {
            var back = journal.unapplied().getFirst().writes();
            assertThat(back).hasSize(writes.size());
            for (int i = 0; i < back.size(); i++) {
                assertThat(back.get(i).row().table().name())
                        .isEqualTo(writes.get(i).row().table().name());
                assertThat(back.get(i).row().key())
                        .isEqualTo(writes.get(i).row().key());
            }
            assertThat(back.getFirst()).isInstanceOfSatisfying(Write.Insert.class, insert -> {
                assertThat(insert.body()).isEqualTo(((Write.Insert) writes.getFirst()).body());
                assertThat(insert.added()).isEqualTo(((Write.Insert) writes.getFirst()).added());
            });
            assertThat(back.get(1)).isInstanceOfSatisfying(Write.Update.class, update -> {
                assertThat(update.readVersion()).isEqualTo(41);
                assertThat(update.moved()).isEqualTo(((Write.Update) writes.get(1)).moved());
            });
            assertThat(back.get(2)).isInstanceOfSatisfying(Write.Delete.class, delete -> {
                assertThat(delete.readVersion()).isEqualTo(7);
                assertThat(delete.removed()).isEqualTo(((Write.Delete) writes.get(2)).removed());
            });
            assertThat(back.getFirst().row().table().indexes())
                    .extracting(index -> index.name() + index.single())
                    .containsExactly("duetrue", "statetrue", "topictrue", "labelfalse");
        }
    }

    // Its parts are written in blocks; here a number, a text and a body each lie across the end of one.
    @Test
    void large_records_come_back_as_they_were() throws Exception {
        for (int size = (1 << 18) - 120; size < (1 << 18) - 40; size++) {
            var writes =
                    List.of(insert(JOBS, "j", "state:A|" + "x".repeat(size)), insert(AUDIT, "a", "y".repeat(700_000)));
            write(1, writes, batch("z"));

            try (var journal = open(0, 2)) {
                var back = journal.unapplied();
                assertThat(back).hasSize(2);
                for (int i = 0; i < 2; i++) {
                    assertThat(((Write.Insert) back.getFirst().writes().get(i)).body())
                            .isEqualTo(((Write.Insert) writes.get(i)).body());
                    assertThat(((Write.Insert) back.getFirst().writes().get(i)).added())
                            .isEqualTo(((Write.Insert) writes.get(i)).added());
                }
            }
        }
    }

    @Test
    void a_record_of_which_any_byte_is_missing_or_wrong_ends_the_reading() throws Exception {
        write(1, batch("a"));
        long whole = Files.size(first());
        write(1, batch("a"), batch("b"));
        byte[] both = Files.readAllBytes(first());

        for (int end = (int) whole; end < both.length; end++) {
            Files.write(first(), Arrays.copyOf(both, end));
            assertThat(read(0, 2)).as("cut at %s", end).containsExactly("1 a");
        }
        for (int at = (int) whole; at < both.length; at++) {
            var wrong = both.clone();
            wrong[at] ^= 1;
            Files.write(first(), wrong);
            assertThat(read(0, 2)).as("wrong at %s", at).containsExactly("1 a");
        }
    }

    @Test
    void a_damaged_record_with_a_whole_one_behind_it_is_refused() throws Exception {
        write(1, batch("a"));
        int end = (int) Files.size(first());
        write(1, batch("a"), batch("b"), batch("c"));
        byte[] records = Files.readAllBytes(first());

        for (int at = 0; at < 2 * end; at++) {
            var wrong = records.clone();
            wrong[at] ^= 1;
            Files.write(first(), wrong);
            assertThatThrownBy(() -> read(0, 2))
                    .as("wrong at %s", at)
                    .isInstanceOf(Journal.Damaged.class)
                    .hasMessageContaining("nonbis.db.journal-1 cannot be read at byte " + (at < end ? 0 : end));
        }
    }

    @Test
    void damage_to_what_the_database_has_does_no_harm() throws Exception {
        write(1, batch("a"));
        int end = (int) Files.size(first());
        write(1, batch("a"), batch("b"), batch("c"), batch("d"));
        byte[] records = Files.readAllBytes(first());

        for (int at = 0; at < 2 * end; at++) {
            var wrong = records.clone();
            wrong[at] ^= 1;
            Files.write(first(), wrong);
            assertThat(read(2, 2)).as("wrong at %s", at).containsExactly("3 c", "4 d");
            assertThat(read(4, 2)).as("wrong at %s", at).isEmpty();
        }
        for (int at = 2 * end; at < 3 * end; at++) {
            var wrong = records.clone();
            wrong[at] ^= 1;
            Files.write(first(), wrong);
            assertThatThrownBy(() -> read(2, 2)).as("wrong at %s", at).isInstanceOf(Journal.Damaged.class);
        }
    }

    @Test
    void a_damaged_record_is_found_however_long_it_is() throws Exception {
        for (int more = 0; more < 50; more++) {
            write(1, List.of(insert(AUDIT, "a", "x".repeat((1 << 20) - more))), batch("b"));
            byte[] records = Files.readAllBytes(first());
            records[100] ^= 1;
            Files.write(first(), records);

            assertThatThrownBy(() -> read(0, 2)).isInstanceOf(Journal.Damaged.class);
        }
    }

    @Test
    void what_an_earlier_run_left_behind_is_not_taken_for_what_follows() throws Exception {
        write(1, batch("a"), batch("b"), batch("c"));
        try (var journal = open(3, 2)) {
            journal.append(batch("x"), 3);
        }

        assertThat(read(3, 3)).containsExactly("4 x");

        byte[] torn = Files.readAllBytes(first());
        torn[torn.length / 3 - 1] ^= 1;
        Files.write(first(), torn);
        assertThat(read(3, 4)).isEmpty();
    }

    @Test
    void the_journal_of_another_database_is_refused() throws Exception {
        write(1, batch("a"));

        try (var journal = Journal.open(database(), new JournalMark(BASE + 1, 0, 2))) {
            assertThatThrownBy(journal::unapplied)
                    .isInstanceOf(Journal.Foreign.class)
                    .hasMessageContaining("another database");
        }
    }

    @Test
    void a_journal_that_leaves_out_a_batch_is_refused() throws Exception {
        try (var journal = open(4, 1)) {
            journal.append(batch("e"), 4);
        }

        try (var journal = open(3, 2)) {
            assertThatThrownBy(journal::unapplied)
                    .isInstanceOf(Journal.Foreign.class)
                    .hasMessageContaining("5")
                    .hasMessageContaining("4");
        }
    }

    @Test
    void the_files_take_turns_and_none_is_written_over_before_the_database_has_it() throws Exception {
        var large = List.of(insert(AUDIT, "a", "x".repeat(1 << 20)));
        try (var journal = open(0, 1)) {
            for (int i = 1; i <= 40; i++) {
                assertThat(journal.append(large, 0)).isEqualTo(i);
            }
        }
        // One was begun, and then the other could not be left.
        assertThat(Files.size(first())).isGreaterThan(16 << 20).isLessThan(18 << 20);
        assertThat(Files.size(second())).isGreaterThan(22 << 20);
        assertThat(read(0, 2)).hasSize(40);

        try (var journal = open(40, 3)) {
            for (int i = 41; i <= 100; i++) {
                journal.append(large, i - 1);
            }
        }
        assertThat(Files.size(first())).isLessThan(18 << 20);
        assertThat(read(90, 4)).hasSize(10);
    }

    @Test
    void no_space_is_told_from_other_trouble_and_the_next_record_takes_the_place() throws Exception {
        try (var disk = SmallDisk.below(directory, 1)) {
            var mark = new JournalMark(BASE, 0, 1);
            try (var journal = Journal.open(disk.path.resolve("nonbis.db"), mark)) {
                journal.append(batch("a"), 0);
                assertThatThrownBy(() -> journal.append(List.of(insert(AUDIT, "b", "x".repeat(2 << 20))), 0))
                        .isInstanceOf(JournalFile.Full.class);
                assertThat(journal.append(batch("c"), 0)).isEqualTo(2);
            }
            try (var journal = Journal.open(disk.path.resolve("nonbis.db"), mark)) {
                assertThat(names(journal.unapplied())).containsExactly("1 a", "2 c");
            }
        }
    }

    private Path database() {
        return directory.resolve("nonbis.db");
    }

    private Path first() {
        return directory.resolve("nonbis.db.journal-1");
    }

    private Path second() {
        return directory.resolve("nonbis.db.journal-2");
    }

    private Journal open(long position, long starts) throws IOException {
        return Journal.open(database(), new JournalMark(BASE, position, starts));
    }

    @SafeVarargs
    private void write(long starts, List<Write>... batches) throws IOException {
        Files.deleteIfExists(first());
        try (var journal = open(0, starts)) {
            for (var batch : batches) {
                journal.append(batch, 0);
            }
        }
    }

    private List<String> read(long position, long starts) throws IOException {
        try (var journal = open(position, starts)) {
            return names(journal.unapplied());
        }
    }

    private static List<String> names(List<Journal.Batch> batches) {
        var names = new ArrayList<String>();
        for (var batch : batches) {
            names.add(batch.position() + " " + batch.writes().getFirst().row().key());
        }
        return names;
    }

    private static List<Write> batch(String key) {
        return List.of(insert(JOBS, key, "state:A|"));
    }
}
