package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.testkit.SimulatedClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WithinOneDayTest {

    private final SimulatedClock clock = new SimulatedClock(Instant.parse("2026-03-01T23:59:59Z"));
    private final List<Integer> attempts = new ArrayList<>();

    @Test
    void what_midnight_fell_into_is_tried_again_whether_it_failed_or_not() throws Exception {
        new WithinOneDay(clock).run(number -> {
            attempts.add(number);
            if (number == 1) {
                clock.advance(Duration.ofSeconds(1));
                throw new AssertionError("two budgets");
            }
            if (number == 2) {
                clock.advance(Duration.ofDays(1));
            }
        });

        assertThat(attempts).containsExactly(1, 2, 3);
    }

    @Test
    void a_failure_within_a_day_is_a_failure() {
        assertThatThrownBy(() -> new WithinOneDay(clock).run(number -> {
                    throw new AssertionError("overspent");
                }))
                .hasMessage("overspent");
    }
}
