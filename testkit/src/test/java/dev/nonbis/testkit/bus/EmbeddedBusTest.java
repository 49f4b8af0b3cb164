package dev.nonbis.testkit.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.Bus.Published;
import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.testkit.SimulatedClock;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EmbeddedBusTest extends BusContract {

    private final SimulatedClock clock = new SimulatedClock(Instant.parse("2026-03-01T12:00:00Z"));
    private final Store store = new DirectStore(new MemoryBackend());
    private final EmbeddedBus embedded = new EmbeddedBus(store, clock);

    @Override
    protected Bus openEmpty() {
        return embedded;
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }

    @Override
    protected Duration redelivery() {
        return EmbeddedBus.REDELIVERY;
    }

    @Test
    void the_window_is_two_minutes_to_the_second() {
        embedded.publish(message(1));
        clock.advance(Duration.ofSeconds(30));
        assertThat(embedded.publish(message(1))).isEqualTo(Published.DUPLICATE);
        clock.advance(Duration.ofSeconds(89));
        assertThat(embedded.publish(message(1))).isEqualTo(Published.DUPLICATE);
        clock.advance(Duration.ofSeconds(2));
        assertThat(embedded.publish(message(1))).isEqualTo(Published.ACCEPTED);
    }

    @Test
    void what_is_too_much_for_one_taker_stays_as_it_is_and_in_its_order() {
        for (int i = 1; i <= 5; i++) {
            embedded.publish(large(i, i == 5 ? 2_000 : 400));
            clock.advance(Duration.ofMillis(1));
        }

        assertThat(jobs(embedded.take(ACME, List.of("job.default"), 10, 1_000))).containsExactly(1, 2, 3);
        assertThat(store.find(
                                Tables.MESSAGES,
                                new QueuedMessage.Key(ACME, message(4).id()))
                        .orElseThrow()
                        .deliveries())
                .isZero();
        assertThat(jobs(embedded.take(ACME, List.of("job.default"), 10, 300))).containsExactly(4);
        assertThat(jobs(embedded.take(ACME, List.of("job.default"), 10, 300))).containsExactly(5);
        assertThat(embedded.take(ACME, List.of("job.default"), 10, 300)).isEmpty();
    }

    private static Message large(int number, int bytes) {
        var plain = message(number);
        return new Message(
                plain.id(), plain.subject(), plain.tenant(), plain.job(), plain.execution(), plain.trace(), bytes);
    }

    private static List<Integer> jobs(List<Message> messages) {
        return messages.stream()
                .map(message -> Integer.parseInt(message.job().value().substring(4)))
                .toList();
    }

    @Test
    void spent_messages_are_forgotten_when_their_window_ends() {
        embedded.publish(message(1));
        embedded.publish(message(2));
        embedded.settle(message(1));

        assertThat(embedded.purge()).isZero();
        clock.advance(Duration.ofSeconds(121));
        assertThat(embedded.purge()).isEqualTo(1);
        assertThat(embedded.purge()).isZero();
        assertThat(embedded.take(ACME, List.of("job.default"), 10)).containsExactly(message(2));
    }
}
