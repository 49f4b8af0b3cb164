package dev.nonbis.server.bus.nats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ReaderGuardTest {

    @Test
    void a_reader_that_fails_is_told_of_and_one_that_ends_is_not() throws Exception {
        var told = new CopyOnWriteArrayList<Throwable>();
        var guard = new ReaderGuard("reader", told::add);
        var why = new IllegalArgumentException("not a header");

        guard.execute(new FutureTask<>(() -> {}, true));
        guard.execute(new FutureTask<>(
                () -> {
                    throw why;
                },
                true));
        guard.shutdown();

        assertThat(guard.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(told).containsExactly(why);
    }
}
