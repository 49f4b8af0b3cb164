package dev.nonbis.server.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.store.CommitListener;
import dev.nonbis.core.store.SharedStore;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.server.store.Counting;
import dev.nonbis.server.store.postgres.PostgresMigrations.Schema;
import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.service.EveryRelease;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Servers of an old and of a new version of the schema side by side, under load all the while. */
@EveryRelease
final class RollingRestartTest {

    private static final List<String> FILES = List.of("classpath:db/postgres", "classpath:db/postgres-later");
    private static final Schema ADDS = new Schema(900, FILES);
    private static final Schema TAKES_AWAY = new Schema(901, FILES);

    private final List<SharedStore> running = new CopyOnWriteArrayList<>();
    private final AtomicInteger turns = new AtomicInteger();

    @Test
    void servers_are_replaced_one_by_one_and_the_old_ones_are_refused_once_they_are_of_no_use() throws Exception {
        try (var postgres = Postgres.startOrSkip();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            postgres.createDatabase("rolling");
            running.add(server(postgres, PostgresMigrations.CURRENT));
            running.add(server(postgres, PostgresMigrations.CURRENT));
            var counting = Counting.by(this::next, List.of("a", "b"), callers);
            counting.awaitMore(20);

            running.add(server(postgres, ADDS));
            counting.awaitMore(20);
            assertThat(postgres.sql("rolling", "SELECT to_regclass('things') IS NOT NULL"))
                    .isEqualTo("t");
            // One that crashed, of the old version, starts again beside the new one.
            replaceOldest(server(postgres, PostgresMigrations.CURRENT));
            counting.awaitMore(20);
            replaceOldest(server(postgres, ADDS));
            replaceOldest(server(postgres, ADDS));
            counting.awaitMore(20);

            replaceOldest(server(postgres, TAKES_AWAY));
            counting.awaitMore(20);
            assertThatThrownBy(() -> server(postgres, PostgresMigrations.CURRENT))
                    .isInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining("needs servers of schema version 900 or later; this server knows version "
                            + PostgresMigrations.CURRENT_VERSION);
            replaceOldest(server(postgres, ADDS));
            counting.awaitMore(20);
            counting.endAndCheck();
            running.forEach(SharedStore::close);
        }
    }

    private SharedStore next() {
        return running.get(Math.floorMod(turns.getAndIncrement(), running.size()));
    }

    // A caller that had it in hand is told that it is closed, and goes to another.
    private void replaceOldest(SharedStore by) {
        running.add(by);
        running.removeFirst().close();
    }

    private static SharedStore server(PostgresServer postgres, Schema schema) {
        var opened = PostgresStore.open(Postgres.address(postgres, "rolling"), Postgres.strict(), schema);
        return new SharedStore(
                opened.backend(),
                new SharedStore.Settings(2, 2, 64, 1000, Postgres.PATIENCE, CommitListener.SILENT, System::nanoTime));
    }
}
