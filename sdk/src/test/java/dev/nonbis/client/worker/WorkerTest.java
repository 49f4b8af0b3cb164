package dev.nonbis.client.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.client.NonbisClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class WorkerTest {

    private final FakeDispatcher server = new FakeDispatcher();
    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        server.close();
    }

    private Worker start(Handler handler) {
        var client = NonbisClient.builder(server.url(), "token").build();
        return Worker.builder(client)
                .workerId("w")
                .topics("job.t")
                .pollWait(Duration.ZERO)
                .heartbeat(Duration.ofMillis(20))
                .grace(Duration.ofSeconds(20))
                .onReport((task, outcome, answer) -> reports.add(task.jobId() + " " + outcome.status() + " " + answer))
                .start(handler);
    }

    private String nextReport() throws InterruptedException {
        return String.valueOf(reports.poll(30, TimeUnit.SECONDS));
    }

    @Test
    void a_task_is_started_before_its_handler_sees_it_and_its_outcome_is_reported() throws Exception {
        server.delivers("j1", 3);
        List<String> startedBefore = new CopyOnWriteArrayList<>();
        List<Task> tasks = new CopyOnWriteArrayList<>();
        try (var worker = start(task -> {
            startedBefore.addAll(server.verbs());
            tasks.add(task);
            return Outcome.succeeded(JsonMapper.shared().createObjectNode().put("x", 1));
        })) {
            assertThat(nextReport()).isEqualTo("j1 SUCCEEDED recorded");
            assertThat(worker).isNotNull();
        }

        assertThat(startedBefore).startsWith("start");
        var task = tasks.get(0);
        assertThat(task.idempotencyKey()).isEqualTo("key-of-j1");
        assertThat(task.execution()).isEqualTo(3);
        assertThat(task.prompt()).contains("do");
        assertThat(task.input().path("n").asInt()).isEqualTo(1);
        assertThat(task.labels()).containsEntry("a", "b");
        assertThat(task.deadline()).isEmpty();
        var result = server.seen("result").get(0).body();
        assertThat(result.path("fence").asInt()).isEqualTo(3);
        assertThat(result.path("worker_id").asString()).isEqualTo("w");
        assertThat(result.path("status").asString()).isEqualTo("succeeded");
        assertThat(result.path("output").path("x").asInt()).isEqualTo(1);
    }

    @Test
    void a_task_that_another_worker_has_is_dropped() throws Exception {
        server.answers("taken/start", "claimed_elsewhere/never")
                .delivers("taken", 1)
                .delivers("mine", 1);
        List<String> handled = new CopyOnWriteArrayList<>();
        try (var worker = start(task -> {
            handled.add(task.jobId());
            return Outcome.succeeded();
        })) {
            assertThat(nextReport()).isEqualTo("mine SUCCEEDED recorded");
            assertThat(worker).isNotNull();
        }
        assertThat(handled).containsExactly("mine");
    }

    @Test
    void what_a_handler_throws_is_reported_as_retryable() throws Exception {
        server.delivers("j1", 1);
        try (var worker = start(task -> {
            throw new IllegalStateException("the target is down");
        })) {
            assertThat(nextReport()).isEqualTo("j1 RETRYABLE recorded");
            assertThat(worker).isNotNull();
        }
        assertThat(server.seen("result").get(0).body().path("error").asString()).contains("the target is down");
    }

    @Test
    void a_report_whose_answer_is_lost_is_sent_again_as_it_was() throws Exception {
        server.answers("result", "lost")
                .answers("result", "overloaded/same_key")
                .answers("result", "already_recorded")
                .delivers("j1", 1);
        try (var worker = start(task -> Outcome.failed("no such account"))) {
            assertThat(nextReport()).isEqualTo("j1 FAILED already_recorded");
            assertThat(worker).isNotNull();
        }
        var sent = server.seen("result");
        assertThat(sent).hasSizeGreaterThanOrEqualTo(3);
        assertThat(sent.stream().map(FakeDispatcher.Seen::body).distinct()).hasSize(1);
    }

    @Test
    void a_report_that_is_not_wanted_any_more_is_dropped_and_the_worker_goes_on() throws Exception {
        server.answers("j1/result", "stale_fence/never").delivers("j1", 1).delivers("j2", 1);
        try (var worker = start(task -> Outcome.succeeded())) {
            assertThat(List.of(nextReport(), nextReport()))
                    .containsExactlyInAnyOrder("j1 SUCCEEDED stale_fence", "j2 SUCCEEDED recorded");
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void heartbeats_carry_notes_and_tell_the_handler_that_nobody_wants_its_work() throws Exception {
        server.answers("heartbeat", "lost")
                .answers("heartbeat", "running")
                .answers("heartbeat", "cancelled")
                .delivers("j1", 2);
        var cancelled = new CountDownLatch(1);
        try (var worker = start(task -> {
            task.note("halfway");
            while (!task.isCancelled()) {
                Thread.onSpinWait();
            }
            cancelled.countDown();
            return Outcome.succeeded();
        })) {
            assertThat(cancelled.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(worker).isNotNull();
        }
        var beats = server.seen("heartbeat");
        assertThat(beats).hasSize(3);
        assertThat(beats.get(0).body().path("note").asString()).isEqualTo("halfway");
        assertThat(beats.get(0).body().path("fence").asInt()).isEqualTo(2);
    }

    @Test
    void a_note_whose_heartbeat_was_lost_goes_with_the_next_one() throws Exception {
        server.answers("heartbeat", "lost").delivers("j1", 1);
        try (var worker = start(task -> {
            task.note("halfway");
            while (server.seen("heartbeat").size() < 2) {
                Thread.onSpinWait();
            }
            return Outcome.succeeded();
        })) {
            assertThat(nextReport()).isEqualTo("j1 SUCCEEDED recorded");
            assertThat(worker).isNotNull();
        }
        assertThat(server.seen("heartbeat").get(1).body().path("note").asString())
                .isEqualTo("halfway");
    }

    @Test
    void a_lost_lease_tells_the_handler_too() throws Exception {
        server.answers("heartbeat", "stale_fence/never").delivers("j1", 1);
        var told = new CountDownLatch(1);
        try (var worker = start(task -> {
            while (!task.isCancelled()) {
                Thread.onSpinWait();
            }
            told.countDown();
            return Outcome.succeeded();
        })) {
            assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void a_delivery_that_comes_again_while_it_is_in_hand_is_not_done_twice() throws Exception {
        server.delivers("j1", 1);
        List<String> handled = new CopyOnWriteArrayList<>();
        try (var worker = start(task -> {
            handled.add(task.jobId() + " " + task.execution());
            if (task.jobId().equals("j1")) {
                server.delivers("j1", 1).delivers("j2", 1);
                while (!handled.contains("j2 1")) {
                    Thread.onSpinWait();
                }
            }
            return Outcome.succeeded();
        })) {
            nextReport();
            nextReport();
            assertThat(worker).isNotNull();
        }
        assertThat(handled).containsExactly("j1 1", "j2 1");
    }

    @Test
    void closing_waits_for_what_runs_and_has_it_reported() throws Exception {
        server.delivers("j1", 1);
        var running = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var worker = start(task -> {
            running.countDown();
            go.await();
            return Outcome.succeeded();
        });
        running.await();
        var closing = new Thread(worker::close);
        closing.start();
        go.countDown();
        closing.join(30_000);

        assertThat(closing.isAlive()).isFalse();
        assertThat(nextReport()).isEqualTo("j1 SUCCEEDED recorded");
    }

    @Test
    void a_worker_that_drops_everything_reports_nothing() throws Exception {
        server.delivers("j1", 1);
        var running = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var worker = start(task -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                ended.countDown();
            }
            return Outcome.succeeded();
        });
        running.await();
        worker.closeNow();
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(reports).isEmpty();
        assertThat(server.seen("result")).isEmpty();
    }

    @Test
    void a_worker_without_topics_is_refused() {
        var client = NonbisClient.builder(server.url(), "token").build();

        assertThatThrownBy(() -> Worker.builder(client).start(task -> Outcome.succeeded()))
                .isInstanceOf(IllegalStateException.class);
    }
}
