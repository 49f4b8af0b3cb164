package dev.nonbis.server.store.sql;

import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WhereaboutsTest {

    private static final int MANY = 1_000_000;

    @TempDir
    Path directory;

    @Test
    void most_of_a_million_rows_are_known() {
        var where = new Whereabouts();
        IntStream.range(0, MANY).forEach(i -> where.put("k-" + i, i + 1));

        assertThat(IntStream.range(0, MANY).filter(i -> where.get("k-" + i) == i + 1))
                .hasSizeGreaterThan(MANY * 9 / 10);
    }

    @Test
    void what_came_last_is_known_and_nothing_of_what_never_came() {
        var where = new Whereabouts();
        assertThat(where.get("a")).isZero();
        where.put("a", 1);
        where.put("a", 2);
        assertThat(where.get("a")).isEqualTo(2);

        where.put("b", 0);
        where.put("c", -1);
        where.put("d", Long.MAX_VALUE);
        assertThat(List.of(where.get("b"), where.get("c"), where.get("d"))).containsOnly(0L);
    }

    @Test
    void rows_lie_where_they_are_said_to() throws SQLException {
        try (var dialect = SqliteDialect.at(directory.resolve("nonbis.db"));
                var session = new SqlSession(dialect.openWriter())) {
            var table = new SqlTable(dialect, KEYS, Optional.of(new Whereabouts()));
            var writes = new TableWrites(table);
            // In another order than that of the names, and more than fit into one statement.
            IntStream.range(0, 77).forEach(i -> writes.add(insert(KEYS, "k-" + (76 - i), "|")));
            writes.run(session);

            try (var rows = session.prepare("SELECT id, rowid FROM keys").executeQuery()) {
                int found = 0;
                for (; rows.next(); found++) {
                    assertThat(table.where.orElseThrow().get(rows.getString(1))).isEqualTo(rows.getLong(2));
                }
                assertThat(found).isEqualTo(77);
            }
        }
    }

    @Test
    void whoever_was_led_astray_finds_the_row_all_the_same() {
        try (var database = SqlBackend.open(SqliteDialect.at(directory.resolve("nonbis.db")), failure -> {
            throw new AssertionError(failure);
        })) {
            database.apply(List.of(insert(KEYS, "a", "|"), insert(KEYS, "b", "|")));
            database.apply(List.of(new Delete(KEYS.row("b"), 1, new Entries(List.of(Set.of(), Set.of())))));
            // It gets the place that was the other's.
            database.apply(List.of(insert(KEYS, "c", "|")));
            assertThat(database.get(KEYS.row("a"))).isPresent();
            assertThat(database.get(KEYS.row("b"))).isEmpty();
            assertThat(database.get(KEYS.row("c"))).isPresent();

            database.apply(List.of(insert(KEYS, "b", "|")));
            assertThat(database.get(KEYS.row("b"))).isPresent();
            assertThat(database.names(KEYS, "", 10)).containsExactly("a", "b", "c");
            assertThat(database.names(KEYS, "a", 1)).containsExactly("b");
        }
    }
}
