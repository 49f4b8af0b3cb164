package dev.nonbis.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowCacheTest {

    private static final Table<String, String> WORDS = new Table<>(
            1,
            "words",
            key -> key,
            value -> value.getBytes(StandardCharsets.UTF_8),
            body -> new String(body, StandardCharsets.UTF_8),
            List.of());

    private final Disk disk = new Disk();
    private final RowCache cache = new RowCache(Set.of(WORDS));

    private Optional<String> find(String key) {
        return cache.find(WORDS.row(key), disk::get);
    }

    private void committed(String key, Optional<String> value) {
        value.ifPresentOrElse(text -> disk.rows.put(key, text), () -> disk.rows.remove(key));
        cache.changed(
                List.of(new RowCache.Change(WORDS.row(key), value.map(text -> text.getBytes(StandardCharsets.UTF_8)))));
    }

    @Test
    void until_it_knows_every_row_it_looks_for_each() {
        disk.rows.put("old", "there");

        assertThat(find("old")).contains("there");
        assertThat(find("new")).isEmpty();
        assertThat(disk.looks).containsExactly("old", "new");
    }

    @Test
    void once_it_knows_every_row_what_is_absent_is_not_looked_for_and_what_is_there_is_found() {
        IntStream.range(0, 1234).forEach(i -> disk.rows.put("old-" + i, "there"));
        cache.learn(disk, () -> false);

        assertThat(IntStream.range(0, 1234).mapToObj(i -> find("old-" + i))).allMatch(Optional::isPresent);
        disk.looks.clear();
        assertThat(find("new")).isEmpty();
        assertThat(disk.looks).isEmpty();
    }

    @Test
    void a_row_that_is_committed_is_found_and_one_that_is_deleted_is_not() {
        cache.learn(disk, () -> false);

        committed("k", Optional.of("v"));
        assertThat(find("k")).contains("v");

        committed("k", Optional.empty());
        assertThat(find("k")).isEmpty();
    }

    @Test
    void a_large_row_is_not_kept_and_found_all_the_same() {
        cache.learn(disk, () -> false);
        String large = "x".repeat(5000);

        committed("k", Optional.of(large));

        assertThat(find("k")).contains(large);
        assertThat(disk.looks).containsExactly("k");
    }

    @Test
    void a_row_that_changed_while_it_was_looked_up_is_not_kept_as_it_was() {
        disk.rows.put("k", "before");

        var seen = cache.find(WORDS.row("k"), row -> {
            var before = disk.get(row);
            committed("k", Optional.of("after"));
            return before;
        });

        assertThat(seen).contains("before");
        assertThat(find("k")).contains("after");
    }

    @Test
    void stopped_early_it_goes_on_looking() {
        IntStream.range(0, 1234).forEach(i -> disk.rows.put("old-" + i, "there"));
        cache.learn(disk, () -> true);

        assertThat(find("old-1233")).contains("there");
    }

    /** Rows in memory that remember which of them were asked for one by one. */
    private static final class Disk implements Backend, Backend.Snapshot {

        final TreeMap<String, String> rows = new TreeMap<>();
        final List<String> looks = new ArrayList<>();

        @Override
        public Optional<StoredRow> get(RowRef<?, ?> row) {
            looks.add(row.key());
            return Optional.ofNullable(rows.get(row.key())).map(value -> stored(row.key(), value));
        }

        @Override
        public List<Range.Hit<StoredRow>> scan(Range<?> range) {
            return rows.tailMap(range.after().orElse(""), false).entrySet().stream()
                    .limit(range.limit())
                    .map(row -> new Range.Hit<>(row.getKey(), stored(row.getKey(), row.getValue())))
                    .toList();
        }

        @Override
        public <R> R read(Function<Snapshot, R> block) {
            return block.apply(this);
        }

        @Override
        public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> wanted) {
            throw new IllegalStateException("a cache fetches nothing");
        }

        @Override
        public void apply(List<Write> writes) {
            throw new IllegalStateException("a cache writes nothing");
        }

        @Override
        public void close() {}

        private static StoredRow stored(String key, String value) {
            return new StoredRow(key, 1, value.getBytes(StandardCharsets.UTF_8));
        }
    }
}
