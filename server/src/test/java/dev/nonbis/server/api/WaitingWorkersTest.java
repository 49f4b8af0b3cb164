package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.PollWork.Wanted;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WaitingWorkersTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final DepthKey REFUNDS = new DepthKey(ACME, "job.refund");
    private static final DepthKey MAILS = new DepthKey(ACME, "job.mail");
    private static final long LONG = Duration.ofMinutes(1).toNanos();

    private final WaitingWorkers workers = new WaitingWorkers();

    private WaitingWorkers.Place join(String... topics) {
        return workers.join(new Wanted(ACME, List.of(topics), 1));
    }

    @Test
    void as_many_are_woken_as_there_are_messages() {
        join("job.refund");
        join("job.refund");
        join("job.refund");

        workers.wake(REFUNDS, 2);

        assertThat(workers.inLine(REFUNDS)).isEqualTo(1);
        workers.wake(REFUNDS, 5);
        assertThat(workers.inLine(REFUNDS)).isZero();
    }

    @Test
    void a_message_wakes_nobody_who_wants_another_topic() {
        join("job.mail");

        workers.wake(REFUNDS, 1);

        assertThat(workers.inLine(MAILS)).isEqualTo(1);
    }

    @Test
    void who_is_woken_for_one_topic_stands_in_line_for_no_other() throws InterruptedException {
        var both = join("job.refund", "job.mail");

        workers.wake(REFUNDS, 1);

        assertThat(both.await(LONG)).isTrue();
        assertThat(workers.inLine(MAILS)).isZero();
    }

    @Test
    void who_was_woken_and_does_not_look_passes_it_on() {
        var first = join("job.refund");
        join("job.refund");
        workers.wake(REFUNDS, 1);

        first.close();

        assertThat(workers.inLine(REFUNDS)).isZero();
    }

    @Test
    void who_was_woken_and_looks_passes_nothing_on() throws InterruptedException {
        var first = join("job.refund");
        join("job.refund");
        workers.wake(REFUNDS, 1);

        assertThat(first.await(LONG)).isTrue();
        first.close();

        assertThat(workers.inLine(REFUNDS)).isEqualTo(1);
    }

    @Test
    void after_the_end_nobody_waits() throws InterruptedException {
        workers.close();

        assertThat(join("job.refund").await(LONG)).isFalse();
    }
}
