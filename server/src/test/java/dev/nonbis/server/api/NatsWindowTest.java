package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.operation.RepeatPublish;
import dev.nonbis.core.operation.RepeatPublish.Outcome;
import dev.nonbis.core.operation.StartJob;
import dev.nonbis.core.operation.WorkerCall;
import dev.nonbis.server.bus.nats.NatsBus;
import dev.nonbis.server.bus.nats.NatsSettings;
import dev.nonbis.server.metrics.DispatchMetrics;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.NatsServer;
import io.nats.client.Connection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which layer absorbs what is repeated when, on a real broker. Its clock cannot be moved, so its window is short; {@code nonbis drill window}
 * does the same with the true one.
 */
@EveryRelease
class NatsWindowTest {

    private static final Duration WINDOW = Duration.ofSeconds(3);
    private static final Duration EDGE = Duration.ofMillis(700);
    private static final Actor ALICE = new Actor(new TenantId("acme"), "alice", Set.of(Role.ADMIN));

    @TempDir
    Path directory;

    private final TestPlane plane = new TestPlane();
    private long publishedAt;

    private static final NatsBus.Events NOBODY_HEARS = new NatsBus.Events() {
        @Override
        public void news(TenantId tenant, String topic) {}

        @Override
        public void connected(Connection connection) {}

        @Override
        public void changed() {}

        @Override
        public void lost() {}

        @Override
        public void unreadable(NatsBus.Unreadable message) {}
    };

    @Test
    void each_repetition_is_absorbed_by_the_layer_that_the_table_names() {
        var timing =
                new NatsSettings.Timing(WINDOW, Duration.ofHours(1), Duration.ofSeconds(30), Duration.ofSeconds(5));
        try (var server = NatsServer.start(directory);
                var bus = new NatsBus(NatsSettings.of(server.url()).with(timing), NOBODY_HEARS)) {
            bus.watch();
            var ports = new DispatchPorts(
                    plane.ports, bus, topic -> plane.topicRules, new DispatchMetrics(plane.metrics, plane.duplicates));
            var job = new JobId(plane.post("/api/v1/jobs")
                    .key("K")
                    .body("{\"topic\":\"job.default\"}")
                    .send()
                    .string("job_id"));
            new Dispatch(ports).runOnce();
            publishedAt = System.nanoTime();
            assertThat(poll(ports)).hasSize(1);
            new StartJob(ports).start(new WorkerCall(ALICE, "req_1", job, "w", 1));
            var repeat = new RepeatPublish(ports);

            after(WINDOW.dividedBy(4));
            assertThat(repeat.repeat(ALICE.tenant(), job)).isInstanceOf(Outcome.Duplicate.class);
            after(WINDOW.minus(EDGE));
            assertThat(repeat.repeat(ALICE.tenant(), job)).isInstanceOf(Outcome.Duplicate.class);
            expectBlocked(2, 0, 0);

            after(WINDOW.plus(EDGE));
            assertThat(repeat.repeat(ALICE.tenant(), job)).isInstanceOf(Outcome.Accepted.class);
            assertThat(poll(ports)).as("nothing runs twice").isEmpty();
            expectBlocked(2, 1, 0);

            plane.clock.advance(Duration.ofHours(1));
            var again = plane.post("/api/v1/jobs")
                    .key("K")
                    .body("{\"topic\":\"job.default\"}")
                    .send();
            assertThat(again.string("job_id")).isEqualTo(job.value());
            assertThat(again.header("Nonbis-Blocked-By")).isEqualTo("idempotency_key");
            expectBlocked(2, 1, 1);
        }
    }

    private static List<PollWork.Delivery> poll(DispatchPorts ports) {
        return new PollWork(ports).poll(new PollWork.Wanted(ALICE.tenant(), List.of("job.default"), 10));
    }

    private void after(Duration sincePublish) {
        long end = publishedAt + sincePublish.toNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void expectBlocked(int window, int state, int key) {
        assertThat(plane.metrics.scrape())
                .contains("nonbis_duplicates_blocked_total{layer=\"broker_window\"} " + window + ".0")
                .contains("nonbis_duplicates_blocked_total{layer=\"job_state\"} " + state + ".0")
                .contains("nonbis_duplicates_blocked_total{layer=\"idempotency_key\"} " + key + ".0");
    }
}
