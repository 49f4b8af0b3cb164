package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.AuditLog;
import dev.nonbis.core.operation.SealCheckpoint;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import dev.nonbis.testkit.store.MemoryBackend;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A log while what is listed is older than single rows, as it is on SQLite while the disk is full. */
class AuditLogBehindTest {

    private static final TenantId TENANT = new TenantId("acme");

    private final Lagging backend = new Lagging();
    private final TestPlane plane = new TestPlane(new DirectStore(backend), Policy.ALLOW_ALL, Settings.DEFAULTS);

    @Test
    void nobody_is_led_past_events_that_are_not_listed_yet() {
        happen(10);
        backend.lag();
        happen(11);

        assertThat(after(0)).isEqualTo(upwards(1, 8));
        assertThat(after(8)).isEmpty();
        assertThat(before()).isEqualTo(upwards(1, 8).reversed());

        backend.catchUp();
        assertThat(after(8)).isEqualTo(upwards(9, 21));
        assertThat(before()).isEqualTo(upwards(1, 21).reversed());
    }

    @Test
    void a_log_is_sealed_when_it_is_listed_again() {
        var sealing = new SealCheckpoint(plane.ports);
        happen(10);
        backend.lag();
        happen(11);

        assertThatThrownBy(() -> sealing.seal(TENANT)).isInstanceOf(StoreUnavailable.class);

        backend.catchUp();
        assertThat(sealing.seal(TENANT).orElseThrow().integer("seq")).contains(21L);
    }

    private void happen(int events) {
        for (int i = 0; i < events; i++) {
            plane.post("/api/v1/jobs").body("{\"topic\":\"job.default\"}").send();
        }
    }

    private List<Long> after(long seq) {
        return plane.ports.store().read(tx -> AuditLog.after(tx, TENANT, seq, 100)).stream()
                .map(AuditEvent::seq)
                .toList();
    }

    private List<Long> before() {
        return plane.ports.store().read(tx -> AuditLog.before(tx, TENANT, Optional.empty(), 100)).events().stream()
                .map(AuditEvent::seq)
                .toList();
    }

    private static List<Long> upwards(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    /** Lists what had been written when it began to lag, and finds every row by its name. */
    private static final class Lagging implements Backend {

        private final Backend rows = new MemoryBackend();
        private final Backend listed = new MemoryBackend();
        private final List<List<Write>> waiting = new ArrayList<>();
        private boolean lags;

        void lag() {
            lags = true;
        }

        void catchUp() {
            waiting.forEach(listed::apply);
            waiting.clear();
            lags = false;
        }

        @Override
        public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> wanted) {
            return rows.fetch(wanted);
        }

        @Override
        public Optional<StoredRow> get(RowRef<?, ?> row) {
            return rows.get(row);
        }

        @Override
        public void apply(List<Write> writes) {
            rows.apply(writes);
            waiting.add(writes);
            if (!lags) {
                catchUp();
            }
        }

        @Override
        public <R> R read(Function<Snapshot, R> block) {
            return rows.read(newest -> listed.read(old -> block.apply(new Snapshot() {

                @Override
                public Optional<StoredRow> get(RowRef<?, ?> row) {
                    return newest.get(row);
                }

                @Override
                public List<Range.Hit<StoredRow>> scan(Range<?> range) {
                    return old.scan(range);
                }
            })));
        }

        @Override
        public void close() {
            rows.close();
            listed.close();
        }
    }
}
