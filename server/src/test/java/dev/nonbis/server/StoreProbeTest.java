package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.lease.Lease;
import dev.nonbis.core.store.GroupCommit;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Tables;
import dev.nonbis.testkit.store.FaultyBackend;
import dev.nonbis.testkit.store.FaultyBackend.Call;
import dev.nonbis.testkit.store.FaultyBackend.Fault;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreProbeTest {

    private final Set<Call> failing = EnumSet.noneOf(Call.class);
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final MemoryBackend memory = new MemoryBackend();
    private final GroupCommit store = new GroupCommit(
            new FaultyBackend(memory, call -> {
                calls.incrementAndGet();
                return failing.contains(call) ? Fault.REFUSED : Fault.NONE;
            }),
            new GroupCommit.Settings(16, 16, Set.of(), (operations, nanos) -> {}, System::nanoTime));
    private final StoreProbe probe = new StoreProbe(store, nanos::get);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void one_answer_serves_all_callers_of_a_second() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(probe.isUsable()).isTrue();
        }
        assertThat(calls).hasValue(1);

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(probe.isUsable()).isTrue();
        assertThat(calls).hasValue(2);
    }

    @Test
    void a_store_that_cannot_be_read_is_not_usable_until_it_can() {
        failing.addAll(EnumSet.of(Call.FETCH, Call.READ));
        assertThat(probe.isUsable()).isFalse();

        failing.clear();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(probe.isUsable()).isTrue();
    }

    @Test
    void after_a_failed_write_only_a_write_makes_it_usable_again() {
        failing.add(Call.APPLY);
        assertThatThrownBy(() -> write()).isInstanceOf(StoreUnavailable.class);
        assertThat(probe.isUsable()).isFalse();

        failing.clear();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(probe.isUsable()).isTrue();
        assertThat(store.trouble()).isEmpty();
    }

    private boolean write() {
        return store.transact(List.of(Tables.LEASES.row("test")), tx -> {
            tx.put(Tables.LEASES, "test", Lease.FREE);
            return true;
        });
    }
}
