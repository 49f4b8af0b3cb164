package dev.nonbis.testkit.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.Bus.Published;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every bus promises. */
public abstract class BusContract {

    protected static final TenantId ACME = new TenantId("acme");
    protected static final TenantId GLOBEX = new TenantId("globex");

    private static final String TOPIC = "job.default";
    private static final List<String> TOPICS = List.of(TOPIC);
    private static final Duration SOON = Duration.ofSeconds(5);

    protected Bus bus;

    /** A bus without messages. */
    protected abstract Bus openEmpty();

    /** Lets this much time pass. */
    protected abstract void pass(Duration time);

    /** How long a repetition is recognised; two minutes, unless a real broker would make the suite wait that long. */
    protected Duration window() {
        return Duration.ofMinutes(2);
    }

    /** How far from the window's end a repetition is surely inside or outside: a second, unless the window is shorter. */
    protected Duration edge() {
        return window().dividedBy(120);
    }

    /** After how long a message comes back that was taken and not settled. */
    protected abstract Duration redelivery();

    @BeforeEach
    void open() {
        bus = openEmpty();
    }

    protected static Message message(int n) {
        return message(ACME, TOPIC, n);
    }

    protected static Message message(TenantId tenant, String topic, int n) {
        var job = new JobId("job_%026d".formatted(n));
        return new Message(new MessageId("jobreq:" + job), topic, tenant, job, 1);
    }

    @Test
    void what_is_published_is_taken_once() {
        assertThat(bus.publish(message(1))).isEqualTo(Published.ACCEPTED);

        assertThat(bus.take(ACME, TOPICS, 10)).containsExactly(message(1));
        assertThat(bus.take(ACME, TOPICS, 10)).isEmpty();
    }

    @Test
    void messages_come_in_the_order_in_which_they_were_published() {
        for (int i = 0; i < 5; i++) {
            bus.publish(message(i));
            pass(Duration.ofMillis(1));
        }

        assertThat(bus.take(ACME, TOPICS, 3)).containsExactly(message(0), message(1), message(2));
        assertThat(bus.take(ACME, TOPICS, 3)).containsExactly(message(3), message(4));
    }

    @Test
    void a_repetition_within_the_window_is_a_duplicate_and_one_after_it_is_taken() {
        bus.publish(message(1));
        bus.settle(bus.take(ACME, TOPICS, 1).getFirst());

        pass(window().dividedBy(4));
        assertThat(bus.publish(message(1))).isEqualTo(Published.DUPLICATE);
        // Had the repetition above extended the window, the last of these would be a duplicate too.
        pass(window().dividedBy(4).multipliedBy(3).minus(edge()));
        assertThat(bus.publish(message(1))).isEqualTo(Published.DUPLICATE);
        assertThat(bus.take(ACME, TOPICS, 1)).isEmpty();
        pass(edge().multipliedBy(2));
        assertThat(bus.publish(message(1))).isEqualTo(Published.ACCEPTED);
        assertThat(bus.take(ACME, TOPICS, 1)).containsExactly(message(1));
    }

    @Test
    void a_repetition_of_what_waits_does_not_double_it() {
        bus.publish(message(1));
        bus.publish(message(1));

        assertThat(bus.take(ACME, TOPICS, 10)).hasSize(1);
    }

    @Test
    void another_execution_is_no_duplicate() {
        var first = message(1);
        var second = new Message(new MessageId(first.id() + ":2"), TOPIC, ACME, first.job(), 2);
        bus.publish(first);

        assertThat(bus.publish(second)).isEqualTo(Published.ACCEPTED);
    }

    @Test
    void what_was_taken_and_not_settled_comes_back() {
        bus.publish(message(1));
        bus.take(ACME, TOPICS, 1);

        pass(redelivery().plusSeconds(1));

        assertThat(bus.take(ACME, TOPICS, 1)).containsExactly(message(1));
    }

    @Test
    void what_was_given_back_is_taken_again_before_it_would_have_come_back() {
        bus.publish(message(1));
        bus.giveBack(bus.take(ACME, TOPICS, 1).getFirst());

        var again = bus.take(ACME, TOPICS, 1);
        for (long end = System.nanoTime() + SOON.toNanos(); again.isEmpty() && System.nanoTime() < end; ) {
            Thread.onSpinWait();
            again = bus.take(ACME, TOPICS, 1);
        }
        assertThat(again).containsExactly(message(1));
    }

    @Test
    void what_was_settled_does_not_come_back() {
        bus.publish(message(1));
        bus.settle(bus.take(ACME, TOPICS, 1).getFirst());

        pass(redelivery().plusSeconds(1));

        assertThat(bus.take(ACME, TOPICS, 1)).isEmpty();
    }

    @Test
    void settling_twice_is_settling_once() {
        bus.publish(message(1));
        bus.publish(message(2));
        var taken = bus.take(ACME, TOPICS, 1).getFirst();
        bus.settle(taken);
        bus.settle(taken);

        assertThat(bus.take(ACME, TOPICS, 10)).containsExactly(message(2));
    }

    @Test
    void a_topic_that_was_not_asked_for_stays() {
        bus.publish(message(ACME, "job.other", 1));

        assertThat(bus.take(ACME, TOPICS, 10)).isEmpty();
        assertThat(bus.take(ACME, List.of("job.other"), 10)).hasSize(1);
    }

    @Test
    void a_topic_is_not_the_beginning_of_another() {
        bus.publish(message(ACME, "job.default.deeper", 1));
        bus.publish(message(ACME, "job.default-er", 2));

        assertThat(bus.take(ACME, TOPICS, 10)).isEmpty();
    }

    @Test
    void no_tenant_sees_or_swallows_messages_of_another() {
        // No two jobs have one id, but two operators may choose one name.
        var name = new MessageId("jobreq:" + TOPIC + ":again");
        var ours = new Message(name, TOPIC, ACME, message(1).job(), 1);
        var theirs = new Message(name, TOPIC, GLOBEX, message(2).job(), 1);
        bus.publish(ours);

        assertThat(bus.publish(theirs)).isEqualTo(Published.ACCEPTED);
        assertThat(bus.publish(ours)).isEqualTo(Published.DUPLICATE);
        assertThat(bus.take(GLOBEX, TOPICS, 10)).containsExactly(theirs);
        assertThat(bus.take(ACME, TOPICS, 10)).containsExactly(ours);
    }

    @Test
    void a_full_topic_does_not_starve_one_beside_it() {
        IntStream.range(0, 50).forEach(i -> bus.publish(message(ACME, "job.full", i)));
        pass(Duration.ofSeconds(1));
        bus.publish(message(ACME, "job.thin", 99));

        var taken = new ArrayList<Message>();
        for (int i = 0; i < 4; i++) {
            taken.addAll(bus.take(ACME, List.of("job.full", "job.thin"), 1));
        }

        assertThat(taken).contains(message(ACME, "job.thin", 99));
    }

    @Test
    void takers_at_once_share_no_message() throws InterruptedException {
        IntStream.range(0, 60).forEach(i -> bus.publish(message(i)));
        var taken = java.util.Collections.synchronizedList(new ArrayList<Message>());
        var takers = IntStream.range(0, 6)
                .mapToObj(i -> Thread.ofVirtual().start(() -> {
                    for (int round = 0; round < 20; round++) {
                        taken.addAll(bus.take(ACME, TOPICS, 5));
                    }
                }))
                .toList();
        for (var taker : takers) {
            taker.join();
        }

        assertThat(new HashSet<>(taken)).hasSize(60);
        assertThat(taken).hasSize(60);
    }
}
