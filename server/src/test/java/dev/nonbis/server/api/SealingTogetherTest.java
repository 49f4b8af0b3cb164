package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.SealCheckpoint;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tx;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Two servers that seal the same log. */
class SealingTogetherTest {

    @Test
    void a_server_that_is_overtaken_while_it_seals_leaves_it_at_that() {
        var store = new DirectStore(new MemoryBackend());
        var plane = new TestPlane(store, Policy.ALLOW_ALL, Settings.DEFAULTS);
        submit(plane);
        plane.clock.advance(Duration.ofMinutes(2));
        var other = new SealCheckpoint(plane.ports);
        var overtaken = new SealCheckpoint(with(plane.ports, new Overtaken(store, () -> {
            submit(plane);
            other.runOnce();
        })));

        overtaken.runOnce();

        assertThat(plane.get("/api/v1/audit/checkpoints").send().items()).hasSize(1);
    }

    private static void submit(TestPlane plane) {
        plane.post("/api/v1/jobs").body("{\"topic\":\"job.default\"}").send();
    }

    private static Ports with(Ports ports, Store store) {
        return new Ports(
                store,
                ports.clock(),
                ports.ids(),
                ports.policy(),
                ports.expressions(),
                ports.signer(),
                ports.settings());
    }

    /** A store on which something happens after the first look at it: what is due has been found, and sealing begins. */
    private static final class Overtaken implements Store {

        private final Store store;
        private Optional<Runnable> meanwhile;

        private Overtaken(Store store, Runnable meanwhile) {
            this.store = store;
            this.meanwhile = Optional.of(meanwhile);
        }

        @Override
        public <R> R transact(List<RowRef<?, ?>> reads, Function<Tx, R> block) {
            return store.transact(reads, block);
        }

        @Override
        public <K, V> Optional<V> find(Table<K, V> table, K key) {
            return store.find(table, key);
        }

        @Override
        public <R> R read(Function<ReadTx, R> block) {
            var found = store.read(block);
            var now = meanwhile;
            meanwhile = Optional.empty();
            now.ifPresent(Runnable::run);
            return found;
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
