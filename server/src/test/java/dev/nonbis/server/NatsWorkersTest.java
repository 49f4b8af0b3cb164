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
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Workers that talk to the broker alone, beside those that talk to the server. */
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
