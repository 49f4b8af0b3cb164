package dev.nonbis.server.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopTest {

    @Test
    void an_error_does_not_end_the_loop() {
        var rounds = new AtomicInteger();
        try (var loop = Loop.start("test", Duration.ofMillis(1), () -> {
            if (rounds.incrementAndGet() < 4) {
                throw new StackOverflowError("planted");
            }
        })) {
            await().until(() -> rounds.get() > 5);
            assertThat(loop.name()).isEqualTo("test");
        }
    }

    @Test
    void a_round_that_fails_is_no_success() {
        var rounds = new AtomicInteger();
        try (var loop = Loop.start("test", Duration.ofMillis(1), () -> {
            rounds.incrementAndGet();
            throw new AssertionError("planted");
        })) {
            await().until(() -> rounds.get() > 2);
            var age = loop.sinceLastSuccess();
            await().until(() -> rounds.get() > 4);
            assertThat(loop.sinceLastSuccess()).isGreaterThan(age);
        }
    }
}
