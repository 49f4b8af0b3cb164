package dev.nonbis.testkit.store;

import static dev.nonbis.testkit.store.ContractTables.ALL;
import static dev.nonbis.testkit.store.ContractTables.AUDIT;
import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.RUNS;
import static dev.nonbis.testkit.store.ContractTables.TENANTS;
import static dev.nonbis.testkit.store.ContractTables.delete;
import static dev.nonbis.testkit.store.ContractTables.index;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static dev.nonbis.testkit.store.ContractTables.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.WriteConflict;
import dev.nonbis.testkit.store.ContractTables.Change;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every back end promises. */
public abstract class BackendContract {

    protected Backend backend;

    /** A back end without rows. */
    protected abstract Backend openEmpty() throws Exception;

    /** The back end of this test once more, after it was closed; empty when it keeps nothing. */
    protected abstract Optional<Backend> reopen() throws Exception;

    @BeforeEach
    void open() throws Exception {
        backend = openEmpty();
    }

    @AfterEach
    void close() {
        backend.close();
    }

    @Test
    void a_row_that_was_inserted_is_found_in_every_table() {
        for (var table : ALL) {
            apply(insert(table, "a/1", "|" + table.name()));
        }

        for (var table : ALL) {
            assertThat(stored(table, "a/1")).contains(new Seen("a/1", 1, "|" + table.name()));
            assertThat(stored(table, "a/2")).isEmpty();
        }
    }

    @Test
    void each_write_raises_the_version_by_one() {
        apply(insert(JOBS, "j", "|1"));
        apply(update(JOBS, "j", 1, new Change("|1", "|2")));
        apply(update(JOBS, "j", 2, new Change("|2", "|3")));

        assertThat(stored(JOBS, "j")).contains(new Seen("j", 3, "|3"));
    }

    @Test
    void a_deleted_row_is_gone_and_its_key_is_free() {
        apply(insert(KEYS, "k", "|1"));
        apply(delete(KEYS, "k", 1, "|1"));
        assertThat(stored(KEYS, "k")).isEmpty();

        apply(insert(KEYS, "k", "|2"));
        assertThat(stored(KEYS, "k")).contains(new Seen("k", 1, "|2"));
    }

    @Test
    void an_insert_over_an_existing_row_conflicts() {
        for (var table : ALL) {
            apply(insert(table, "a", "|1"));

            assertConflict(insert(table, "a", "|2"));
            assertThat(stored(table, "a")).contains(new Seen("a", 1, "|1"));
        }
    }

    @Test
    void an_update_of_another_version_conflicts() {
        for (var table : ALL) {
            apply(insert(table, "a", "|1"));

            assertConflict(update(table, "a", 2, new Change("|1", "|2")));
            assertConflict(update(table, "missing", 1, new Change("|1", "|2")));
            assertThat(stored(table, "a")).contains(new Seen("a", 1, "|1"));
        }
    }

    @Test
    void a_delete_of_another_version_conflicts() {
        for (var table : ALL) {
            apply(insert(table, "a", "|1"));

            assertConflict(delete(table, "a", 2, "|1"));
            assertConflict(delete(table, "missing", 1, "|1"));
            assertThat(stored(table, "a")).contains(new Seen("a", 1, "|1"));
        }
    }

    @Test
    void a_conflict_anywhere_applies_nothing_anywhere() {
        apply(
                insert(TENANTS, "t", "|1"),
                insert(JOBS, "old", "state:A|1"),
                insert(JOBS, "doomed", "state:A|1"),
                insert(AUDIT, "taken", "|1"));

        assertConflict(
                insert(KEYS, "k", "|1"),
                update(TENANTS, "t", 1, new Change("|1", "|2")),
                delete(JOBS, "doomed", 1, "state:A|1"),
                insert(JOBS, "new", "state:A|1"),
                update(JOBS, "old", 1, new Change("state:A|1", "state:B|2")),
                insert(AUDIT, "taken", "|2"));

        assertThat(stored(KEYS, "k")).isEmpty();
        assertThat(stored(TENANTS, "t")).contains(new Seen("t", 1, "|1"));
        assertThat(stored(JOBS, "new")).isEmpty();
        assertThat(keys(entries("state", ""))).containsExactly("doomed", "old");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 31, 32, 33, 100, 257})
    void one_bad_row_among_many_conflicts_wherever_it_stands(int rows) {
        for (int bad : List.of(0, rows / 2, rows - 1)) {
            var inserts = new ArrayList<Write>();
            for (int i = 0; i < rows; i++) {
                inserts.add(insert(JOBS, "%s-%04d".formatted(bad, i), "state:A|" + i));
            }
            apply(inserts.get(bad));

            assertConflict(inserts.toArray(Write[]::new));
            assertThat(keys(entries("state", "").limit(1000))).containsExactly("%s-%04d".formatted(bad, bad));
            apply(delete(JOBS, "%s-%04d".formatted(bad, bad), 1, "state:A|" + bad));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 31, 32, 33, 100, 257})
    void many_rows_change_in_one_call(int rows) {
        var inserts = new ArrayList<Write>();
        var updates = new ArrayList<Write>();
        var deletes = new ArrayList<Write>();
        for (int i = 0; i < rows; i++) {
            var key = "%04d".formatted(i);
            inserts.add(insert(JOBS, key, "state:A topic:t|" + i));
            updates.add(update(JOBS, key, 1, new Change("state:A topic:t|" + i, "state:B topic:t|" + -i)));
            deletes.add(delete(JOBS, key, 2, "state:B topic:t|" + -i));
        }

        backend.apply(inserts);
        assertThat(keys(entries("state", "A").limit(rows + 1))).hasSize(rows).isSorted();
        backend.apply(updates);
        assertThat(keys(entries("state", "A"))).isEmpty();
        assertThat(keys(entries("state", "B").limit(rows + 1))).hasSize(rows).isSorted();
        assertThat(stored(JOBS, "%04d".formatted(rows - 1)).orElseThrow().value).endsWith("|" + -(rows - 1));
        backend.apply(deletes);
        assertThat(keys(entries("state", ""))).isEmpty();
        assertThat(keys(Range.keysStartingWith(JOBS, ""))).isEmpty();
        assertThat(keys(entries("topic", ""))).isEmpty();
    }

    @Test
    void one_stale_row_among_many_updates_conflicts() {
        var inserts = IntStream.range(0, 50).mapToObj(i -> insert(RUNS, "%02d".formatted(i), "state:A|"));
        backend.apply(inserts.toList());
        apply(update(RUNS, "20", 1, new Change("state:A|", "state:B|")));

        var updates = IntStream.range(0, 50)
                .mapToObj(i -> update(RUNS, "%02d".formatted(i), 1, new Change("state:A|", "state:C|")));
        assertConflict(updates.toArray(Write[]::new));

        assertThat(keys(Range.entriesStartingWith(RUNS, index(RUNS, "state"), "C")))
                .isEmpty();
    }

    @Test
    void fetch_gives_the_rows_that_exist_among_many_of_several_tables() {
        var writes = new ArrayList<Write>();
        var asked = new ArrayList<RowRef<?, ?>>();
        for (int i = 0; i < 200; i++) {
            var key = "k/%03d".formatted(i);
            asked.add(KEYS.row(key));
            asked.add(JOBS.row(key));
            if (i % 3 == 0) {
                writes.add(insert(KEYS, key, "|key " + i));
                writes.add(insert(JOBS, key, "|job " + i));
            }
        }
        backend.apply(writes);

        var found = backend.fetch(asked);

        assertThat(found).hasSize(writes.size());
        assertThat(seen(fetched(KEYS, "k/198"))).isEqualTo(new Seen("k/198", 1, "|key 198"));
        assertThat(seen(fetched(JOBS, "k/000"))).isEqualTo(new Seen("k/000", 1, "|job 0"));
        assertThat(found).doesNotContainKey(JOBS.row("k/001"));
        assertThat(backend.fetch(List.of())).isEmpty();
    }

    @Test
    void index_entries_follow_the_row() {
        apply(insert(JOBS, "j", "due:5 state:A label:x label:y|"));
        assertThat(keys(entries("label", "x"))).containsExactly("j");
        assertThat(keys(entries("label", "y"))).containsExactly("j");

        apply(update(JOBS, "j", 1, new Change("due:5 state:A label:x label:y|", "state:B label:y label:z|")));
        assertThat(keys(entries("due", ""))).isEmpty();
        assertThat(keys(entries("state", "A"))).isEmpty();
        assertThat(keys(entries("state", "B"))).containsExactly("j");
        assertThat(keys(entries("label", ""))).containsExactly("j", "j");
        assertThat(keys(entries("label", "x"))).isEmpty();

        apply(delete(JOBS, "j", 2, "state:B label:y label:z|"));
        for (var index : JOBS.indexes()) {
            assertThat(keys(Range.entriesStartingWith(JOBS, index, ""))).isEmpty();
        }
    }

    @Test
    void indexes_of_the_same_name_on_two_tables_are_apart() {
        apply(insert(JOBS, "j", "state:A|"), insert(RUNS, "r", "state:A|"));

        assertThat(keys(entries("state", "A"))).containsExactly("j");
        assertThat(keys(Range.entriesStartingWith(RUNS, index(RUNS, "state"), "A")))
                .containsExactly("r");
    }

    @Test
    void a_range_of_keys_comes_in_order_both_ways() {
        fillAudit("a/1", "a/2", "a/3", "b/1", "B/1", "a0", "a");

        assertThat(keys(Range.keysStartingWith(AUDIT, "a/"))).containsExactly("a/1", "a/2", "a/3");
        assertThat(keys(Range.keysStartingWith(AUDIT, "a/").newestFirst())).containsExactly("a/3", "a/2", "a/1");
        assertThat(keys(Range.keysStartingWith(AUDIT, "a/").limit(2))).containsExactly("a/1", "a/2");
        assertThat(keys(Range.keysStartingWith(AUDIT, "a/").newestFirst().limit(2)))
                .containsExactly("a/3", "a/2");
        assertThat(keys(Range.keysStartingWith(AUDIT, "")))
                .containsExactly("B/1", "a", "a/1", "a/2", "a/3", "a0", "b/1");
        assertThat(keys(Range.keysStartingWith(AUDIT, "c"))).isEmpty();
    }

    @Test
    void a_range_holds_its_low_end_and_not_its_high_end() {
        apply(
                insert(JOBS, "1", "due:10|"),
                insert(JOBS, "2", "due:20|"),
                insert(JOBS, "3", "due:200|"),
                insert(JOBS, "4", "due:30|"));

        var due = index(JOBS, "due");
        assertThat(keys(Range.entriesUpTo(JOBS, due, "10", "30"))).containsExactly("1", "2", "3");
        assertThat(keys(Range.entriesUpTo(JOBS, due, "20", "200"))).containsExactly("2");
        assertThat(keys(Range.entriesUpTo(JOBS, due, "20", "20"))).isEmpty();
        assertThat(keys(Range.entriesUpTo(JOBS, due, "30", "10"))).isEmpty();
        assertThat(keys(Range.entriesUpTo(JOBS, due, "", "~"))).containsExactly("1", "2", "3", "4");
    }

    @Test
    void a_prefix_takes_every_character_that_may_follow() {
        fillAudit("a!", "a", "a~", "a~~", "b", "`");

        assertThat(keys(Range.keysStartingWith(AUDIT, "a"))).containsExactly("a", "a!", "a~", "a~~");
        assertThat(keys(Range.keysStartingWith(AUDIT, "a~"))).containsExactly("a~", "a~~");
    }

    @Test
    void wildcards_and_quotes_in_texts_mean_nothing() {
        fillAudit("a%b", "a_b", "axb", "a'b", "a\"b", "a\\b", "a;b");

        assertThat(keys(Range.keysStartingWith(AUDIT, "a%"))).containsExactly("a%b");
        assertThat(keys(Range.keysStartingWith(AUDIT, "a_"))).containsExactly("a_b");
        assertThat(keys(Range.keysStartingWith(AUDIT, "a'"))).containsExactly("a'b");
    }

    @Test
    void a_scan_continues_behind_any_position_in_both_directions() {
        // Many rows share a text, and texts are prefixes of each other.
        for (int i = 0; i < 30; i++) {
            apply(insert(JOBS, "%02d".formatted(i), "state:" + "AAB".substring(0, 1 + i % 3) + " label:x label:y|"));
        }
        for (var range : List.of(
                entries("state", ""),
                entries("state", "AA"),
                entries("label", ""),
                Range.keysStartingWith(JOBS, "1"),
                entries("state", "").newestFirst(),
                entries("label", "x").newestFirst(),
                Range.keysStartingWith(JOBS, "").newestFirst())) {
            var whole = positions(range.limit(1000));
            assertThat(whole).doesNotHaveDuplicates();
            for (int page : List.of(1, 4, 30)) {
                assertThat(inPages(range.limit(page))).isEqualTo(whole);
            }
        }
    }

    @Test
    void a_scan_ends_with_the_row_that_reaches_its_bytes() {
        for (int i = 0; i < 40; i++) {
            apply(insert(JOBS, "%02d".formatted(i), "state:A label:x|" + "y".repeat(i % 4 == 0 ? 3_000 : 100 * i)));
        }
        for (var range : List.of(
                entries("state", "A"),
                entries("label", "x"),
                Range.keysStartingWith(JOBS, ""),
                entries("state", "A").newestFirst(),
                entries("label", "x").newestFirst(),
                Range.keysStartingWith(JOBS, "").newestFirst())) {
            var whole = hits(range.limit(1000));
            for (int bytes : List.of(1, 2_000, 10_000, 1_000_000)) {
                var all = new ArrayList<Range.Hit<StoredRow>>();
                var page = range.limit(30).bytes(bytes);
                var found = hits(page);
                while (true) {
                    int before = found.stream()
                            .limit(found.size() - 1L)
                            .mapToInt(Range.Hit::bytes)
                            .sum();
                    assertThat(before).isLessThan(bytes);
                    all.addAll(found);
                    if (page.isExhaustedBy(found)) {
                        break;
                    }
                    assertThat(found.size() == 30 || before + found.getLast().bytes() >= bytes)
                            .isTrue();
                    page = page.after(Optional.of(found.getLast().position()));
                    found = hits(page);
                    if (found.isEmpty()) {
                        break;
                    }
                }
                assertThat(all)
                        .extracting(Range.Hit::position)
                        .containsExactlyElementsOf(
                                whole.stream().map(Range.Hit::position).toList());
                assertThat(all).allMatch(hit -> hit.bytes() == hit.row().body().length);
            }
        }
    }

    @Test
    void a_scan_ends_at_its_bytes_as_rows_were_when_the_read_began() {
        var large = "|" + "y".repeat(5_000);
        for (int i = 0; i < 8; i++) {
            apply(insert(AUDIT, "a/" + i, i < 4 ? "|" : large));
        }
        backend.read(snapshot -> {
            assertThat(snapshot.get(AUDIT.row("a/0"))).isPresent();
            for (int i = 0; i < 8; i++) {
                apply(update(AUDIT, "a/" + i, 1, i < 4 ? new Change("|", large) : new Change(large, "|")));
            }
            var range = Range.keysStartingWith(AUDIT, "a/").bytes(6_000);
            assertThat(snapshot.scan(range))
                    .extracting(Range.Hit::key)
                    .containsExactly("a/0", "a/1", "a/2", "a/3", "a/4", "a/5");
            return "";
        });
    }

    @Test
    void a_position_outlives_its_row() {
        fillAudit("a/1", "a/2", "a/3");
        apply(insert(JOBS, "1", "state:A|"), insert(JOBS, "2", "state:A|"), insert(JOBS, "3", "state:A|"));
        var byKey = positions(Range.keysStartingWith(AUDIT, "a/")).get(1);
        var byIndex = positions(entries("state", "A")).get(1);

        apply(delete(AUDIT, "a/2", 1, "|"), delete(JOBS, "2", 1, "state:A|"));

        var audit = Range.keysStartingWith(AUDIT, "a/").after(Optional.of(byKey));
        assertThat(keys(audit)).containsExactly("a/3");
        assertThat(keys(audit.newestFirst())).containsExactly("a/1");
        var jobs = entries("state", "A").after(Optional.of(byIndex));
        assertThat(keys(jobs)).containsExactly("3");
        assertThat(keys(jobs.newestFirst())).containsExactly("1");
    }

    @Test
    void a_position_before_the_start_continues_nothing_and_one_behind_the_end_leaves_nothing() {
        apply(insert(JOBS, "1", "state:B|"), insert(JOBS, "2", "state:B|"));
        fillAudit("b/1", "b/2");

        for (var range : List.of(entries("state", "B"), Range.keysStartingWith(AUDIT, "b/"))) {
            var early = Optional.of("a" + Range.SEPARATOR + "x");
            var late = Optional.of("c" + Range.SEPARATOR + "x");
            if (range.index().isPresent()) {
                early = Optional.of("A" + Range.SEPARATOR + "x");
                late = Optional.of("C" + Range.SEPARATOR + "x");
            }
            assertThat(keys(range.after(early))).hasSize(2);
            assertThat(keys(range.after(late))).isEmpty();
            assertThat(keys(range.newestFirst().after(late))).hasSize(2);
            assertThat(keys(range.newestFirst().after(early))).isEmpty();
        }
    }

    @Test
    void keys_may_hold_every_visible_ascii_character_and_be_long() {
        var all = new StringBuilder();
        for (char c = '!'; c <= '~'; c++) {
            all.append(c);
        }
        var longest = all.toString().repeat(5).substring(0, 400);
        for (var table : ALL) {
            apply(insert(table, longest, "|1"), insert(table, longest.substring(1), "|2"), insert(table, "x", "|3"));

            assertThat(stored(table, longest)).contains(new Seen(longest, 1, "|1"));
            assertThat(stored(table, longest.substring(1))).contains(new Seen(longest.substring(1), 1, "|2"));
        }
        assertThat(keys(Range.keysStartingWith(AUDIT, longest))).containsExactly(longest);
    }

    @Test
    void keys_that_differ_in_case_or_in_a_trailing_character_are_different() {
        for (var table : ALL) {
            apply(
                    insert(table, "key", "|1"),
                    insert(table, "KEY", "|2"),
                    insert(table, "key.", "|3"),
                    insert(table, "0", "|4"));
            apply(insert(table, "00", "|5"), insert(table, "0.0", "|6"));

            assertThat(stored(table, "KEY").orElseThrow().value).isEqualTo("|2");
            assertThat(stored(table, "0").orElseThrow().value).isEqualTo("|4");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 4_000, 5_000, 16_384, 65_536, 1_200_000})
    void a_body_comes_back_byte_for_byte(int bytes) {
        var body = new byte[bytes];
        new Random(bytes).nextBytes(body);
        for (var table : ALL) {
            var none = new Write.Entries(Collections.nCopies(table.indexes().size(), Set.of()));
            apply(new Write.Insert(table.row("a"), body, none));
            assertThat(get(table, "a").orElseThrow().body()).isEqualTo(body);

            apply(new Write.Update(table.row("a"), 1, new byte[] {1}, new Write.Move(none, none)));
            apply(new Write.Update(table.row("a"), 2, body, new Write.Move(none, none)));
            assertThat(get(table, "a").orElseThrow().body()).isEqualTo(body);
            assertThat(fetched(table, "a").body()).isEqualTo(body);
        }
    }

    @Test
    void a_read_sees_one_state_whatever_is_written_meanwhile() {
        apply(insert(TENANTS, "t", "|1"), insert(JOBS, "1", "state:A|"));

        backend.read(snapshot -> {
            assertThat(seen(snapshot.get(TENANTS.row("t")).orElseThrow()).value).isEqualTo("|1");
            apply(
                    update(TENANTS, "t", 1, new Change("|1", "|2")),
                    insert(JOBS, "2", "state:A|"),
                    delete(JOBS, "1", 1, "state:A|"),
                    insert(KEYS, "k", "|"));
            assertThat(seen(snapshot.get(TENANTS.row("t")).orElseThrow()).value).isEqualTo("|1");
            assertThat(snapshot.get(KEYS.row("k"))).isEmpty();
            assertThat(snapshot.get(JOBS.row("1"))).isPresent();
            assertThat(snapshot.scan(entries("state", "A")))
                    .extracting(hit -> hit.row().key())
                    .containsExactly("1");
            return "";
        });

        assertThat(keys(entries("state", "A"))).containsExactly("2");
        assertThat(stored(TENANTS, "t").orElseThrow().value).isEqualTo("|2");
    }

    @Test
    void a_read_that_first_found_nothing_still_sees_one_state() {
        backend.read(snapshot -> {
            assertThat(snapshot.get(KEYS.row("k"))).isEmpty();
            apply(insert(KEYS, "k", "|"), insert(JOBS, "j", "state:A|"));
            assertThat(snapshot.get(KEYS.row("k"))).isEmpty();
            assertThat(snapshot.scan(entries("state", "A"))).isEmpty();
            return "";
        });
        assertThat(stored(KEYS, "k")).isPresent();
    }

    @Test
    void readers_never_see_half_of_a_write() throws Exception {
        apply(insert(TENANTS, "left", "|0"), insert(TENANTS, "right", "|0"));
        var done = new AtomicBoolean();
        var torn = new ArrayList<String>();
        var reader = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                var both = backend.read(
                        snapshot -> seen(snapshot.get(TENANTS.row("left")).orElseThrow()).value + " "
                                + seen(snapshot.get(TENANTS.row("right")).orElseThrow()).value);
                var parts = both.split(" ", -1);
                if (!parts[0].equals(parts[1])) {
                    torn.add(both);
                }
            }
        });

        for (int i = 0; i < 200; i++) {
            var change = new Change("|" + i, "|" + (i + 1));
            apply(update(TENANTS, "left", i + 1, change), update(TENANTS, "right", i + 1, change));
        }
        done.set(true);
        reader.join();

        assertThat(torn).isEmpty();
    }

    @Test
    void a_read_whose_block_throws_leaves_the_next_read_well() {
        apply(insert(KEYS, "k", "|1"));

        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> backend.read(snapshot -> {
                        snapshot.get(KEYS.row("k"));
                        throw new IllegalArgumentException("no");
                    }))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        assertThat(stored(KEYS, "k")).isPresent();
        apply(update(KEYS, "k", 1, new Change("|1", "|2")));
        assertThat(stored(KEYS, "k").orElseThrow().value).isEqualTo("|2");
    }

    @Test
    void a_closed_back_end_refuses_everything() {
        backend.close();

        assertThatThrownBy(() -> apply(insert(KEYS, "k", "|"))).satisfies(BackendContract::saysClosed);
        assertThatThrownBy(() -> backend.fetch(List.of(KEYS.row("k")))).satisfies(BackendContract::saysClosed);
        assertThatThrownBy(() -> backend.read(snapshot -> "")).satisfies(BackendContract::saysClosed);
        backend.close();
    }

    @Test
    void what_was_applied_is_there_after_closing_and_opening_again() throws Exception {
        apply(insert(KEYS, "k", "|1"), insert(JOBS, "1", "state:A|"), insert(JOBS, "2", "state:A|"));
        apply(update(JOBS, "1", 1, new Change("state:A|", "state:B|x")), delete(JOBS, "2", 1, "state:A|"));
        backend.close();

        var again = reopen();
        assumeTrue(again.isPresent(), "this back end keeps nothing after it is closed");
        backend = again.get();

        assertThat(stored(KEYS, "k")).contains(new Seen("k", 1, "|1"));
        assertThat(stored(JOBS, "1")).contains(new Seen("1", 2, "state:B|x"));
        assertThat(keys(entries("state", ""))).containsExactly("1");
        apply(update(JOBS, "1", 2, new Change("state:B|x", "|")));
    }

    /** A row with its body as text. */
    protected record Seen(String key, long version, String value) {}

    protected final void apply(Write... writes) {
        backend.apply(List.of(writes));
    }

    protected final Optional<Seen> stored(Table<String, String> table, String key) {
        return get(table, key).map(BackendContract::seen);
    }

    protected final List<String> keys(Range<String> range) {
        return backend.read(snapshot ->
                snapshot.scan(range).stream().map(hit -> hit.row().key()).toList());
    }

    protected static Range<String> entries(String index, String prefix) {
        return Range.entriesStartingWith(JOBS, index(JOBS, index), prefix);
    }

    private Optional<StoredRow> get(Table<String, String> table, String key) {
        var row = table.row(key);
        var read = backend.read(snapshot -> snapshot.get(row));
        var fetched = backend.fetch(List.of(row));
        assertThat(fetched.containsKey(row)).isEqualTo(read.isPresent());
        return read;
    }

    private StoredRow fetched(Table<String, String> table, String key) {
        return backend.fetch(List.of(table.row(key))).values().iterator().next();
    }

    private List<String> positions(Range<String> range) {
        return hits(range).stream().map(Range.Hit::position).toList();
    }

    private List<Range.Hit<StoredRow>> hits(Range<String> range) {
        return backend.read(snapshot -> snapshot.scan(range));
    }

    private List<String> inPages(Range<String> range) {
        var all = new ArrayList<String>();
        Optional<String> after = Optional.empty();
        while (true) {
            var page = positions(range.after(after));
            all.addAll(page);
            if (page.size() < range.limit()) {
                return all;
            }
            after = Optional.of(page.getLast());
        }
    }

    private void fillAudit(String... keys) {
        for (var key : keys) {
            apply(insert(AUDIT, key, "|"));
        }
    }

    private void assertConflict(Write... writes) {
        assertThatThrownBy(() -> apply(writes)).isInstanceOf(WriteConflict.class);
    }

    private static Seen seen(StoredRow row) {
        return new Seen(row.key(), row.version(), new String(row.body(), StandardCharsets.UTF_8));
    }

    private static void saysClosed(Throwable thrown) {
        assertThat(thrown).isInstanceOf(StoreUnavailable.class);
        assertThat(((StoreUnavailable) thrown).why()).isEqualTo(StoreUnavailable.Cause.CLOSED);
        assertThat(((StoreUnavailable) thrown).fate()).isEqualTo(StoreUnavailable.Fate.DID_NOT_HAPPEN);
    }
}
