package dev.nonbis.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
        cache.changed(List.of(WORDS.row(key)));
    }

    @Test
    void a_row_that_is_asked_for_again_and_again_is_looked_for_twice() {
        disk.rows.put("k", "v");

        for (int i = 0; i < 5; i++) {
            assertThat(find("k")).contains("v");
        }

        assertThat(disk.looks).containsExactly("k", "k");
    }

    @Test
    void a_row_that_was_not_there_is_looked_for_each_time() {
        for (int i = 0; i < 3; i++) {
            assertThat(find("new")).isEmpty();
        }
        committed("new", Optional.of("v"));

        assertThat(find("new")).contains("v");
        assertThat(disk.looks).hasSize(4);
    }

    @Test
    void a_row_that_was_kept_and_changes_is_found_as_it_is() {
        committed("k", Optional.of("v"));
        for (int i = 0; i < 3; i++) {
            assertThat(find("k")).contains("v");
        }

        committed("k", Optional.of("w"));
        assertThat(find("k")).contains("w");

        committed("k", Optional.empty());
        assertThat(find("k")).isEmpty();
    }

    @Test
    void a_large_row_is_not_kept_and_found_all_the_same() {
        String large = "x".repeat(5000);
        committed("k", Optional.of(large));

        for (int i = 0; i < 4; i++) {
            assertThat(find("k")).contains(large);
        }
        assertThat(disk.looks).hasSize(4);
    }

    @Test
    void a_row_that_changed_while_it_was_looked_up_is_not_kept_as_it_was() {
        disk.rows.put("k", "before");
        assertThat(find("k")).contains("before");

        var seen = cache.find(WORDS.row("k"), row -> {
            var before = disk.get(row);
            committed("k", Optional.of("after"));
            return before;
        });

        assertThat(seen).contains("before");
        assertThat(find("k")).contains("after");
    }

    /** Rows in memory that remember which of them were asked for. */
    private static final class Disk {

        final Map<String, String> rows = new HashMap<>();
        final List<String> looks = new ArrayList<>();

        Optional<StoredRow> get(RowRef<?, ?> row) {
            looks.add(row.key());
            return Optional.ofNullable(rows.get(row.key()))
                    .map(value -> new StoredRow(row.key(), 1, value.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
