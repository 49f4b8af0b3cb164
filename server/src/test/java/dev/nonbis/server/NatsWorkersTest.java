package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.client.Call;
import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.ProblemException;
import dev.nonbis.client.nats.NatsCarrier;
import dev.nonbis.client.nats.NatsTasks;
import dev.nonbis.client.worker.Outcome;
import dev.nonbis.client.worker.Worker;
import dev.nonbis.testkit.service.EveryRelease;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Workers that talk to the broker alone, beside those that talk to the server. */
@EveryRelease
class NatsWorkersTest {

    @TempDir
    Path directory;

    private static Connection connect(NatsPlane plane) throws Exception {
        return Nats.connect(new Options.Builder()
                .server(plane.broker.url())
                .maxReconnects(-1)
                .reconnectWait(Duration.ofMillis(200))
                .build());
    }

    @Test
    void native_and_http_workers_share_the_work_and_each_job_is_done_once() throws Exception {
        try (var plane = new NatsPlane(directory)) {
            var nats = connect(plane);
            Map<String, String> doneBy = new ConcurrentHashMap<>();
            var client = NonbisClient.over(new NatsCarrier(nats, Duration.ofSeconds(5)), RealServer.ACME);
            try (var http = plane.httpWorker("over-http");
                    var nativ = Worker.builder(client)
                            .tasksFrom(new NatsTasks(nats, "acme"))
                            .workerId("over-nats")
                            .topics("job.default", "job.native")
                            .pollWait(Duration.ofSeconds(2))
                            .start(task -> {
                                plane.effect(task.idempotencyKey());
                                doneBy.put(task.jobId(), task.traceparent().orElse("native"));
                                return Outcome.succeeded(task.input());
                            })) {
                assertThat(http).isNotNull();
                assertThat(nativ).isNotNull();
                plane.submit("mixed", 30);
                var header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
                var only = client.call(JobSubmission.to("job.native")
                                .prompt("say n")
                                .input(JsonMapper.shared().createObjectNode().put("n", 7))
                                .toCall()
                                .withTraceparent(header))
                        .body()
                        .path("job_id")
                        .asString();
                plane.awaitState("SUCCEEDED", 31);

                assertThat(doneBy).containsEntry(only, header);
                assertThat(client.getJob(only).body().toString()).contains("{\"n\":7}");
                plane.broker.restartEmpty();
                plane.submit("after", 10);
                plane.awaitState("SUCCEEDED", 41);
            }
            nats.close();
            assertThat(plane.ledger).hasSize(41);
            assertThat(plane.mostOften()).isEqualTo(1);
            assertThat(plane.count("RUNNING")).isZero();
        }
    }

    @Test
    void calls_over_nats_have_the_outcomes_of_calls_over_http() throws Exception {
        try (var plane = new NatsPlane(directory)) {
            var nats = connect(plane);
            var over = NonbisClient.over(new NatsCarrier(nats, Duration.ofSeconds(5)), RealServer.ACME);
            var job = over.submitJob(JobSubmission.to("job.default").withKey("one"));
            assertThat(over.submitJob(JobSubmission.to("job.default").withKey("one"))
                            .jobId())
                    .isEqualTo(job.jobId());
            plane.awaitState("DISPATCHED", 1);

            assertThat(call(over, job.jobId(), "start", "w", "")).isEqualTo("started");
            assertThat(call(over, job.jobId(), "start", "w", "")).isEqualTo("already_started");
            assertThat(call(over, job.jobId(), "start", "v", "")).isEqualTo("claimed_elsewhere");
            assertThat(call(over, job.jobId(), "heartbeat", "w", "")).isEqualTo("running");
            assertThat(call(over, job.jobId(), "result", "w", "succeeded")).isEqualTo("recorded");
            assertThat(call(over, job.jobId(), "result", "w", "succeeded")).isEqualTo("already_recorded");
            assertThat(call(over, job.jobId(), "result", "w", "failed")).isEqualTo("result_conflict");
            assertThat(call(plane.client, job.jobId(), "result", "w", "succeeded"))
                    .isEqualTo("already_recorded");

            var stranger = NonbisClient.over(new NatsCarrier(nats, Duration.ofSeconds(5)), "no-such-token");
            assertThat(call(stranger, job.jobId(), "start", "w", "")).isEqualTo("unauthenticated");
            var other = NonbisClient.over(new NatsCarrier(nats, Duration.ofSeconds(5)), RealServer.GLOBEX);
            assertThat(call(other, job.jobId(), "start", "w", "")).isEqualTo("job_not_found");
            nats.close();
        }
    }

    private static String call(NonbisClient client, String job, String verb, String worker, String status) {
        var body =
                JsonMapper.shared().createObjectNode().put("worker_id", worker).put("fence", 1);
        if (!status.isEmpty()) {
            body.put("status", status);
        }
        try {
            return client.call(Call.command("/api/v1/jobs/" + job + "/" + verb, body))
                    .body()
                    .path("status")
                    .asString();
        } catch (ProblemException e) {
            return e.problem().code();
        }
    }

    @Test
    void what_no_native_worker_can_read_becomes_a_dead_letter_and_never_comes_back() throws Exception {
        try (var plane = new NatsPlane(directory)) {
            var nats = connect(plane);
            plane.submit("first", 1);
            plane.awaitState("DISPATCHED", 1);
            byte[] poison = {1, 2, 3, (byte) 0xff};
            nats.jetStream().publish("job.acme.default", poison);
            var client = NonbisClient.over(new NatsCarrier(nats, Duration.ofSeconds(5)), RealServer.ACME);
            try (var worker = Worker.builder(client)
                    .tasksFrom(new NatsTasks(nats, "acme"))
                    .topics("job.default")
                    .pollWait(Duration.ofSeconds(2))
                    .start(task -> Outcome.succeeded())) {
                assertThat(worker).isNotNull();
                plane.awaitState("SUCCEEDED", 1);
                Awaitility.await()
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> !letters(client).isEmpty());
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> unsettled(nats) == 0);
            }
            nats.close();
            assertThat(letters(plane.client)).hasSize(1);
            var letter = letters(plane.client).get(0);
            assertThat(letter.path("why").asString()).isEqualTo("unreadable_message");
            assertThat(letter.toString()).contains(Base64.getEncoder().encodeToString(poison));
        }
    }

    @Test
    void the_server_believes_no_worker_about_a_message_that_it_can_read() throws Exception {
        try (var plane = new NatsPlane(directory)) {
            plane.submit("one", 1);
            plane.awaitState("DISPATCHED", 1);

            assertThat(unreadable(plane.client, "job.default", 1)).isEqualTo("readable");
            assertThat(unreadable(plane.client, "job.other", 1)).isEqualTo("gone");
            assertThat(unreadable(plane.client, "job.default", 99)).isEqualTo("gone");
            var globex =
                    NonbisClient.builder(plane.server.url(), RealServer.GLOBEX).build();
            assertThat(unreadable(globex, "job.default", 1)).isEqualTo("gone");
            assertThat(letters(plane.client)).isEmpty();
        }
    }

    private static String unreadable(NonbisClient client, String topic, long sequence) {
        var body = JsonMapper.shared()
                .createObjectNode()
                .put("worker_id", "w")
                .put("topic", topic)
                .put("sequence", sequence);
        return client.call(Call.command("/api/v1/worker/unreadable", body))
                .body()
                .path("status")
                .asString();
    }

    private static JsonNode letters(NonbisClient client) {
        return client.call(Call.get("/api/v1/dlq")).body().path("items");
    }

    private static long unsettled(Connection nats) throws Exception {
        return nats.jetStreamManagement()
                .getConsumerInfo("NONBIS_JOBS", "acme~job~default")
                .getNumAckPending();
    }

    @Test
    void each_recorded_result_is_told_once_under_its_name_over_the_death_of_the_broker() throws Exception {
        try (var plane = new NatsPlane(directory);
                var worker = plane.httpWorker("w")) {
            assertThat(worker).isNotNull();
            plane.submit("told", 5);
            plane.awaitState("SUCCEEDED", 5);
            var nats = connect(plane);
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> results(nats) == 5);
            plane.submit("later", 3);
            plane.broker.restart();
            plane.awaitState("SUCCEEDED", 8);
            Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> results(nats) == 8);

            var names = new HashSet<String>();
            for (long i = 1; i <= 8; i++) {
                var message = nats.jetStreamManagement().getMessage("NONBIS_SYS", i);
                var told = JsonMapper.shared().readTree(message.getData());
                assertThat(message.getSubject()).isEqualTo("sys.acme.result.default");
                assertThat(told.path("status").asString()).isEqualTo("succeeded");
                assertThat(message.getHeaders().getFirst("Nats-Msg-Id"))
                        .isEqualTo("jobres:" + told.path("job_id").asString() + ":1");
                names.add(message.getHeaders().getFirst("Nats-Msg-Id"));
            }
            assertThat(names).hasSize(8);
            nats.close();
        }
    }

    private static long results(Connection nats) throws Exception {
        return nats.jetStreamManagement()
                .getStreamInfo("NONBIS_SYS")
                .getStreamState()
                .getMsgCount();
    }

    @Test
    void a_job_that_was_started_is_not_delivered_again() throws Exception {
        try (var plane = new NatsPlane(directory);
                var worker = plane.httpWorker("w")) {
            assertThat(worker).isNotNull();
            plane.submit("once", 20);
            plane.awaitState("SUCCEEDED", 20);
            var nats = connect(plane);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> nats.jetStreamManagement()
                                    .getConsumerInfo("NONBIS_JOBS", "acme~job~default")
                                    .getNumAckPending()
                            == 0);
            nats.close();
            assertThat(plane.server.metrics()).contains("nonbis_duplicates_blocked_total{layer=\"job_state\"} 0.0");
        }
    }
}
