package dev.nonbis.testkit.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.operation.HoldLeases;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.testkit.store.FaultyBackend;
import dev.nonbis.testkit.store.FaultyBackend.Call;
import dev.nonbis.testkit.store.FaultyBackend.Fault;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class HoldLeasesTest {

    private static final List<String> WORKS = List.of("purge", "dispatch");

    private final FaultyBackend.Script script = new FaultyBackend.Script();
    private final Store store = new DirectStore(new FaultyBackend(new MemoryBackend(), script));
    // Each server has a clock of its own; nothing says that they agree on where it began.
    private final AtomicLong clockOfA = new AtomicLong(1_000_000);
    private final AtomicLong clockOfB = new AtomicLong(-77_000_000_000L);
    private final HoldLeases a = new HoldLeases(store, clockOfA::get, "a", WORKS);
    private final HoldLeases b = new HoldLeases(store, clockOfB::get, "b", WORKS);

    @Test
    void nobody_holds_what_nobody_has_taken() {
        assertThat(a.holds("purge")).isFalse();
        assertThat(a.holds("unheard of")).isFalse();
    }

    @Test
    void who_comes_first_holds_it_and_goes_on_while_it_beats() {
        for (int second = 0; second < 60; second++) {
            a.runOnce();
            b.runOnce();
            assertThat(a.holds("purge")).isTrue();
            assertThat(b.holds("purge")).isFalse();
            pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void work_of_a_dead_server_moves_on_within_ten_seconds() {
        a.runOnce();
        b.runOnce();
        // As late as it can be: the last thing that a does is to beat.
        pass(Duration.ofSeconds(2));
        b.runOnce();
        a.runOnce();

        int seconds = 0;
        while (!b.holds("dispatch")) {
            pass(Duration.ofSeconds(1));
            b.runOnce();
            seconds++;
        }
        assertThat(seconds).isBetween(6, 9);
        assertThat(a.holds("dispatch")).isFalse();
    }

    @Test
    void two_servers_never_hold_the_same_however_late_one_looks() {
        for (int step = 0; step < 400; step++) {
            if (step % 7 < 3 || step > 300) {
                a.runOnce();
            }
            if (step % 11 < 8) {
                b.runOnce();
            }
            for (var work : WORKS) {
                assertThat(a.holds(work) && b.holds(work)).isFalse();
            }
            pass(Duration.ofMillis(700L + step % 5 * 300L));
            for (var work : WORKS) {
                assertThat(a.holds(work) && b.holds(work)).isFalse();
            }
        }
    }

    @Test
    void a_server_that_cannot_beat_stops_before_another_takes_over() {
        a.runOnce();
        b.runOnce();
        pass(Duration.ofSeconds(3));
        script.then(Call.APPLY, Fault.REFUSED);
        assertThatThrownBy(a::runOnce).isInstanceOf(StoreUnavailable.class);
        assertThat(a.holds("purge")).isTrue();

        pass(Duration.ofSeconds(2));
        b.runOnce();
        assertThat(a.holds("purge")).isFalse();
        assertThat(b.holds("purge")).isFalse();
    }

    @Test
    void a_beat_whose_answer_was_lost_counts_only_after_the_next() {
        script.then(Call.APPLY, Fault.REPLY_LOST);
        assertThatThrownBy(a::runOnce).isInstanceOf(StoreUnavailable.class);
        assertThat(a.holds("purge")).isFalse();

        pass(Duration.ofSeconds(1));
        a.runOnce();
        assertThat(a.holds("purge")).isTrue();
    }

    @Test
    void what_a_server_gives_up_another_takes_at_once() {
        a.runOnce();
        b.runOnce();
        a.giveUp();
        assertThat(a.holds("purge")).isFalse();

        b.runOnce();
        assertThat(b.holds("purge")).isTrue();
        assertThat(b.holds("dispatch")).isTrue();
    }

    // Clocks do not run at quite the same speed either.
    private void pass(Duration time) {
        clockOfA.addAndGet(time.toNanos());
        clockOfB.addAndGet(time.toNanos() + time.toNanos() / 1000);
    }
}
