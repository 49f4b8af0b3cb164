package dev.nonbis.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.store.Write;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DirectStoreTest {

    private static final Table<String, String> TEXTS = new Table<>(
            1,
            "texts",
            key -> key,
            text -> text.getBytes(StandardCharsets.UTF_8),
            bytes -> new String(bytes, StandardCharsets.UTF_8),
            List.of());

    private final MemoryBackend backend = new MemoryBackend();
    private final DirectStore plain = new DirectStore(backend);

    @Test
    void a_block_that_saw_rows_that_do_not_fit_together_runs_again() {
        both("old");
        var store = new DirectStore(new Between(backend, () -> both("new")));

        assertThat(store.<String>transact(DirectStoreTest::same)).isEqualTo("new");
    }

    @Test
    void a_block_that_fails_on_rows_as_they_are_is_our_mistake() {
        both("one");
        plain.transact(tx -> {
            tx.put(TEXTS, "b", "other");
            return true;
        });

        assertThatThrownBy(() -> plain.<String>transact(DirectStoreTest::same))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("one and other");
    }

    private static String same(Tx tx) {
        var a = tx.get(TEXTS, "a");
        var b = tx.get(TEXTS, "b");
        if (!a.equals(b)) {
            throw new IllegalStateException(a + " and " + b);
        }
        return a;
    }

    private void both(String text) {
        plain.transact(tx -> {
            tx.put(TEXTS, "a", text);
            tx.put(TEXTS, "b", text);
            return true;
        });
    }

    /** Somebody else writes after the first fetch. */
    private static final class Between implements Backend {

        private final Backend backend;
        private Optional<Runnable> other;

        private Between(Backend backend, Runnable other) {
            this.backend = backend;
            this.other = Optional.of(other);
        }

        @Override
        public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
            var found = backend.fetch(rows);
            var now = other;
            other = Optional.empty();
            now.ifPresent(Runnable::run);
            return found;
        }

        @Override
        public void apply(List<Write> writes) {
            backend.apply(writes);
        }

        @Override
        public <R> R read(Function<Snapshot, R> block) {
            return backend.read(block);
        }

        @Override
        public void close() {
            backend.close();
        }
    }
}
