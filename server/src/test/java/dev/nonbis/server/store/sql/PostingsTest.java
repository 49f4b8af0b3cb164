package dev.nonbis.server.store.sql;

import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.delete;
import static dev.nonbis.testkit.store.ContractTables.index;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static dev.nonbis.testkit.store.ContractTables.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.WriteConflict;
import dev.nonbis.testkit.store.ContractTables.Change;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PostingsTest {

    private static final Index<String> LABEL = index(JOBS, "label");
    private static final Comparator<String> BY_BYTES =
            Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);
    private static final Comparator<Place> IN_ORDER =
            Comparator.comparing(Place::entry, BY_BYTES).thenComparing(Place::id, BY_BYTES);

    @TempDir
    Path directory;

    private record Place(String entry, String id) {

        String position() {
            return Range.position(entry, id);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void rows_that_come_and_go_in_any_order_stand_as_in_a_plain_set(long seed) throws SQLException {
        var history = new History(new Random(seed));
        try (var database = open()) {
            for (int step = 0; step < 40; step++) {
                database.apply(history.next());
                for (int i = 0; i < 10; i++) {
                    var range = history.range();
                    assertThat(positions(database, range)).as(range.toString()).isEqualTo(history.expected(range));
                }
            }
            assertThat(positions(database, everything())).isEqualTo(history.expected(everything()));
        }
        assertChunksAreApart();
    }

    @Test
    void rows_that_come_one_by_one_behind_each_other_leave_full_chunks() throws SQLException {
        try (var database = open()) {
            for (int i = 0; i < 10 * PostingsChunk.MOST_IDS; i++) {
                database.apply(List.of(insert(JOBS, "t/%04d".formatted(i), "label:x|")));
            }
        }
        assertThat(chunks()).hasSize(10);
        assertChunksAreApart();
    }

    @Test
    void a_text_under_which_nothing_stands_any_more_leaves_its_first_chunk_for_what_comes_again() throws SQLException {
        var ids = IntStream.range(0, 100).mapToObj("t/%04d"::formatted).collect(Collectors.toList());
        try (var database = open()) {
            database.apply(ids.stream().map(id -> insert(JOBS, id, "label:x|")).toList());
            Collections.shuffle(ids, new Random(1));
            for (var id : ids) {
                database.apply(List.of(delete(JOBS, id, 1, "label:x|")));
            }
            assertThat(chunks()).containsExactly(PostingsChunk.firstOf("x"));
            assertThat(positions(database, everything())).isEmpty();

            database.apply(List.of(insert(JOBS, "t/0050", "label:x|")));
            database.apply(List.of(insert(JOBS, "t/0040", "label:x|")));
            assertThat(positions(database, everything()))
                    .containsExactly(Range.position("x", "t/0040"), Range.position("x", "t/0050"));
        }
    }

    @Test
    void the_first_chunk_stays_though_others_follow_it() throws SQLException {
        var ids = IntStream.range(0, 2 * PostingsChunk.MOST_IDS)
                .mapToObj("t/%04d"::formatted)
                .toList();
        try (var database = open()) {
            database.apply(ids.stream().map(id -> insert(JOBS, id, "label:x|")).toList());
            for (var id : ids.subList(0, PostingsChunk.MOST_IDS)) {
                database.apply(List.of(delete(JOBS, id, 1, "label:x|")));
            }

            // It belongs behind others of the second chunk.
            database.apply(List.of(insert(JOBS, "t/00505", "label:x|")));

            var left = new ArrayList<>(ids.subList(PostingsChunk.MOST_IDS, ids.size()));
            left.add("t/00505");
            assertThat(positions(database, everything()))
                    .isEqualTo(left.stream()
                            .sorted()
                            .map(id -> Range.position("x", id))
                            .toList());
        }
        assertChunksAreApart();
    }

    @Test
    void what_stands_there_cannot_come_and_what_does_not_cannot_go() {
        try (var database = open()) {
            database.apply(List.of(insert(JOBS, "t/1", "label:x|"), insert(JOBS, "t/3", "label:x|")));
            database.apply(List.of(insert(JOBS, "t/2", "|")));

            assertConflict(database, update(JOBS, "t/1", 1, new Change("|", "label:x|")));
            assertConflict(database, update(JOBS, "t/3", 1, new Change("|", "label:x|")));
            assertConflict(database, update(JOBS, "t/2", 1, new Change("label:x|", "|")));
            assertConflict(database, update(JOBS, "t/2", 1, new Change("label:y|", "|")));
            assertConflict(database, delete(JOBS, "t/2", 1, "label:x|"));

            assertThat(positions(database, everything()))
                    .containsExactly(Range.position("x", "t/1"), Range.position("x", "t/3"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void no_more_chunks_are_read_than_the_limit_takes(boolean newestFirst) throws SQLException {
        try (var database = open()) {
            database.apply(IntStream.range(0, 3 * PostingsChunk.MOST_IDS)
                    .mapToObj(i -> insert(JOBS, "t/%04d".formatted(i), "label:x|"))
                    .toList());
            // What cannot be read shows that it is.
            sql("UPDATE jobs_by_label SET ids = 'broken' WHERE low = (SELECT " + (newestFirst ? "min" : "max")
                    + "(low) FROM jobs_by_label)");
            var range = newestFirst ? everything().newestFirst() : everything();

            assertThat(positions(database, range.limit(2 * PostingsChunk.MOST_IDS)))
                    .hasSize(2 * PostingsChunk.MOST_IDS);
            assertThatThrownBy(() -> positions(database, range.limit(2 * PostingsChunk.MOST_IDS + 1)))
                    .isInstanceOf(RuntimeException.class);
        }
    }

    @Test
    void a_row_may_be_named_as_others_begin() throws SQLException {
        try (var database = open()) {
            for (var id : List.of("t/\ud83d\ude01", "t/a", "t", "t/\ud83d\ude00", "t/", "t/\uff5e", "t/aa")) {
                database.apply(List.of(insert(JOBS, id, "label:x|")));
            }
            assertThat(positions(database, everything()))
                    .extracting(position -> position.substring(2))
                    .containsExactly("t", "t/", "t/a", "t/aa", "t/\uff5e", "t/\ud83d\ude00", "t/\ud83d\ude01");
            database.apply(List.of(
                    delete(JOBS, "t", 1, "label:x|"),
                    delete(JOBS, "t/", 1, "label:x|"),
                    delete(JOBS, "t/a", 1, "label:x|"),
                    delete(JOBS, "t/aa", 1, "label:x|"),
                    delete(JOBS, "t/\uff5e", 1, "label:x|")));
            // Both begin with the same half of a character.
            assertThat(positions(database, everything()))
                    .extracting(position -> position.substring(2))
                    .containsExactly("t/\ud83d\ude00", "t/\ud83d\ude01");
        }
    }

    private void assertChunksAreApart() throws SQLException {
        var lastEntry = "";
        var lastId = "";
        for (var chunk : chunks()) {
            if (chunk.equals(PostingsChunk.firstOf(chunk.entry()))) {
                continue;
            }
            assertThat(chunk.ids()).isSortedAccordingTo(BY_BYTES).hasSizeBetween(1, PostingsChunk.MOST_IDS);
            assertThat(chunk.low())
                    .usingComparator(BY_BYTES)
                    .isLessThanOrEqualTo(chunk.ids().getFirst());
            if (chunk.entry().equals(lastEntry)) {
                assertThat(chunk.low()).usingComparator(BY_BYTES).isGreaterThan(lastId);
            }
            lastEntry = chunk.entry();
            lastId = chunk.ids().getLast();
        }
    }

    private List<PostingsChunk> chunks() throws SQLException {
        var chunks = new ArrayList<PostingsChunk>();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT entry, low, ids FROM jobs_by_label ORDER BY entry, low")) {
            while (rows.next()) {
                chunks.add(
                        new PostingsChunk(rows.getString(1), rows.getString(2), PostingsChunk.ids(rows.getString(3))));
            }
        }
        return chunks;
    }

    private void sql(String text) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private static Range<String> everything() {
        return Range.entriesStartingWith(JOBS, LABEL, "").limit(Integer.MAX_VALUE);
    }

    private static List<String> positions(SqlBackend database, Range<String> range) {
        return database.read(snapshot -> snapshot.scan(range).stream()
                .peek(hit -> assertThat(hit.key()).isEqualTo(hit.row().key()))
                .map(Range.Hit::position)
                .toList());
    }

    private static void assertConflict(SqlBackend database, Write write) {
        assertThatThrownBy(() -> database.apply(List.of(write))).isInstanceOf(WriteConflict.class);
    }

    private Path file() {
        return directory.resolve("nonbis.db");
    }

    private SqlBackend open() {
        return SqlBackend.open(SqliteDialect.at(file()), failure -> {
            throw new AssertionError(failure);
        });
    }

    /** Jobs under few labels, so that there are many under each. */
    private static final class History {

        private static final List<String> LABELS = List.of("a", "a!", "aa", "b");
        private static final List<String> LETTERS =
                List.of("0", "1", "2", "3", "4", "5", "6", "~", "\u00e9", "\uff5e", "\ud83d\ude00", "\ud83d\ude01");

        private final Random random;
        private final Map<String, Row> rows = new HashMap<>();
        private final NavigableSet<Place> places = new TreeSet<>(IN_ORDER);
        private int inserted;

        private record Row(long version, String value) {}

        History(Random random) {
            this.random = random;
        }

        List<Write> next() {
            var writes = new ArrayList<Write>();
            var touched = new HashSet<String>();
            // In the beginning more come than go, and in the end more go.
            int coming = rows.size() < 400 && inserted < 1200 ? random.nextInt(120) : random.nextInt(5);
            for (int i = 0; i < coming; i++) {
                var id = name();
                if (touched.add(id) && !rows.containsKey(id)) {
                    writes.add(put(id, value()));
                }
            }
            var old = new ArrayList<>(rows.keySet());
            old.sort(BY_BYTES);
            Collections.shuffle(old, random);
            for (var id : old.subList(0, Math.min(old.size(), random.nextInt(60)))) {
                if (touched.add(id)) {
                    writes.add(random.nextBoolean() ? put(id, value()) : take(id));
                }
            }
            return writes;
        }

        // Most names are behind those before, some a little before them, and some anywhere.
        private String name() {
            int number = ++inserted - (random.nextInt(4) == 0 ? random.nextInt(50) : 0);
            return random.nextInt(4) == 0
                    ? "t/" + letters()
                    : "t/5%05d".formatted(Math.max(0, number)) + LETTERS.get(random.nextInt(LETTERS.size()));
        }

        private String letters() {
            return IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(i -> LETTERS.get(random.nextInt(LETTERS.size())))
                    .collect(Collectors.joining());
        }

        private String value() {
            return LABELS.stream()
                            .filter(label -> random.nextInt(3) > 0)
                            .map(label -> "label:" + label)
                            .collect(Collectors.joining(" "))
                    + "|";
        }

        private Write put(String id, String value) {
            var row = rows.get(id);
            var write =
                    row == null ? insert(JOBS, id, value) : update(JOBS, id, row.version, new Change(row.value, value));
            places.removeIf(place -> place.id.equals(id));
            LABEL.entries().apply(value).forEach(entry -> places.add(new Place(entry, id)));
            rows.put(id, new Row(row == null ? 1 : row.version + 1, value));
            return write;
        }

        private Write take(String id) {
            var row = Objects.requireNonNull(rows.remove(id));
            places.removeIf(place -> place.id.equals(id));
            return delete(JOBS, id, row.version, row.value);
        }

        Range<String> range() {
            var label = LABELS.get(random.nextInt(LABELS.size()));
            var range = switch (random.nextInt(3)) {
                case 0 -> Range.entriesEqualTo(JOBS, LABEL, label);
                case 1 -> Range.entriesStartingWith(JOBS, LABEL, label.substring(0, random.nextInt(2)));
                default -> Range.entriesUpTo(JOBS, LABEL, "a", label);
            };
            range = random.nextBoolean() ? range.newestFirst() : range;
            return range.after(after()).limit(random.nextInt(3) == 0 ? 10_000 : random.nextInt(80));
        }

        // Also where nothing stands any more, or never did.
        private Optional<String> after() {
            if (random.nextInt(3) == 0) {
                return Optional.empty();
            }
            var anywhere = new Place(LABELS.get(random.nextInt(LABELS.size())), name());
            var near = random.nextBoolean() ? places.ceiling(anywhere) : anywhere;
            return Optional.of((near == null ? anywhere : near).position());
        }

        List<String> expected(Range<String> range) {
            var order = range.descending() ? IN_ORDER.reversed() : IN_ORDER;
            return places.stream()
                    .filter(place -> BY_BYTES.compare(place.entry, range.low()) >= 0)
                    .filter(place -> BY_BYTES.compare(place.entry, range.high()) < 0)
                    .filter(place -> range.after().isEmpty()
                            || order.compare(place, at(range.after().get())) > 0)
                    .sorted(order)
                    .limit(range.limit())
                    .map(Place::position)
                    .toList();
        }

        private static Place at(String position) {
            var parts = position.split(String.valueOf(Range.SEPARATOR), 2);
            return new Place(parts[0], parts[1]);
        }
    }
}
