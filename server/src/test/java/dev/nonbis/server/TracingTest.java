package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.client.Call;
import dev.nonbis.client.Decision;
import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.worker.Outcome;
import dev.nonbis.client.worker.Worker;
import dev.nonbis.server.Collector.Span;
import dev.nonbis.server.config.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class TracingTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";
    private static final String SECRET = "Bearer collector-secret";

    @TempDir
    Path directory;

    private static Config.Tracing to(URI url, int samplePercent) {
        return new Config.Tracing(url, Optional.of(SECRET), "nonbis", samplePercent);
    }

    private RealServer server(Config.Tracing tracing) throws IOException {
        Files.writeString(directory.resolve("policy.yaml"), """
                jobs:
                  default: allow
                  rules:
                    - {id: ask, when: 'job.topic == "job.refund"', verdict: require_approval}
                """);
        return new RealServer(
                directory,
                config -> config.withObservation(new Config.Observation(
                        Optional.of(tracing), config.observation().logs())));
    }

    private static Span one(List<Span> spans, String name) {
        var found = spans.stream().filter(span -> span.name().equals(name)).toList();
        assertThat(found).as(name).hasSize(1);
        return found.getFirst();
    }

    private static void awaitSpan(Collector collector, String name, int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> collector.spans().stream()
                                .filter(span -> span.name().equals(name))
                                .count()
                        >= count);
    }

    @Test
    void a_job_is_one_trace_from_its_submission_through_the_decision_to_the_workers_word() throws Exception {
        var given = new CopyOnWriteArrayList<String>();
        try (var collector = new Collector();
                var server = server(to(collector.url(), 0))) {
            var caller = NonbisClient.builder(server.url(), RealServer.ACME)
                    .traceparent(() -> Optional.of("00-" + TRACE + "-" + CALLER + "-01"))
                    .build();
            var untraced = NonbisClient.builder(server.url(), RealServer.BOB).build();
            var order = JobSubmission.to("job.refund")
                    .input(JsonMapper.shared().createObjectNode().put("eur", 200))
                    .withKey("refund-1");

            var job = caller.submitJob(order);
            var again = caller.submitJob(order);
            untraced.approve(job.jobId(), Decision.PLAIN);
            var worker = Worker.builder(
                            NonbisClient.builder(server.url(), RealServer.ACME).build())
                    .workerId("worker-1")
                    .topics("job.refund")
                    .pollWait(Duration.ofSeconds(2))
                    .start(task -> {
                        given.add(task.traceparent().orElse("none"));
                        return Outcome.succeeded();
                    });
            awaitSpan(collector, "execute job.refund", 1);
            awaitSpan(collector, "POST /api/v1/jobs/{id}/result", 1);
            worker.closeNow();

            assertThat(again.answer().replay()).isPresent();
            assertThat(job.traceId()).isEqualTo(TRACE);
            var spans = List.copyOf(collector.spans());
            var submissions = spans.stream()
                    .filter(span -> span.name().equals("POST /api/v1/jobs"))
                    .toList();
            var submitted = submissions.stream()
                    .filter(span -> !span.attributes().containsKey("nonbis.blocked_by"))
                    .findFirst()
                    .orElseThrow();
            var replayed = submissions.stream()
                    .filter(span -> span.isAbout("nonbis.blocked_by", "idempotency_key"))
                    .findFirst()
                    .orElseThrow();
            assertThat(submissions).hasSize(2).allMatch(span -> span.parent().equals(CALLER));
            assertThat(replayed.links()).containsExactly(TRACE + "-" + submitted.id());
            assertThat(replayed.attributes().get("nonbis.original_request"))
                    .isEqualTo(submitted.attributes().get("nonbis.request_id"));
            // The decision belongs to the job's trace whoever made it; nobody had the approver's own request traced.
            assertThat(one(spans, "approval").attributes())
                    .containsEntry("nonbis.subject", job.jobId())
                    .containsEntry("nonbis.decision", "approved");
            assertThat(one(spans, "execute job.refund").attributes())
                    .containsEntry("nonbis.worker", "worker-1")
                    .containsEntry("nonbis.result", "succeeded")
                    .containsEntry("nonbis.execution", "1");
            for (var name : List.of(
                    "approval",
                    "dispatch job.refund",
                    "execute job.refund",
                    "POST /api/v1/jobs/{id}/start",
                    "POST /api/v1/jobs/{id}/result")) {
                assertThat(one(spans, name).parent()).as(name).isEqualTo(submitted.id());
            }
            assertThat(spans).allMatch(span -> span.trace().equals(TRACE));
            assertThat(given).containsExactly("00-" + TRACE + "-" + submitted.id() + "-01");
            assertThat(collector.authorizations()).containsOnly(SECRET);
            assertThat(spans.toString()).doesNotContain("eur").doesNotContain(RealServer.ACME);
        }
    }

    @Test
    void steps_of_a_run_belong_to_the_trace_of_its_start_and_decisions_are_linked_to_who_made_them() throws Exception {
        try (var collector = new Collector();
                var server = server(to(collector.url(), 100))) {
            var alice = NonbisClient.builder(server.url(), RealServer.ACME).build();
            alice.putWorkflow(
                    "pay", JsonMapper.shared().readTree("{\"steps\":[{\"id\":\"ask\",\"topic\":\"job.refund\"}]}"));
            var start = Call.create(
                    "/api/v1/workflows/pay/runs", JsonMapper.shared().readTree("{\"input\":{}}"));
            alice.call(start);
            alice.call(start);
            var step =
                    server.get("/api/v1/approvals", RealServer.BOB).json().array("items").orElseThrow().items().stream()
                            .map(item -> ((dev.nonbis.json.JsonObject) item)
                                    .string("job_id")
                                    .orElseThrow())
                            .findFirst()
                            .orElseThrow();
            server.post("/api/v1/approvals/" + step + "/approve", RealServer.BOB, "", "{}");
            awaitSpan(collector, "POST /api/v1/workflows/{id}/runs", 2);
            awaitSpan(collector, "dispatch job.refund", 1);
            awaitSpan(collector, "approval", 1);
            awaitSpan(collector, "POST /api/v1/approvals/{id}/approve", 1);

            var spans = List.copyOf(collector.spans());
            var starts = spans.stream()
                    .filter(span -> span.name().equals("POST /api/v1/workflows/{id}/runs"))
                    .toList();
            var started = starts.stream()
                    .filter(span -> span.links().isEmpty())
                    .findFirst()
                    .orElseThrow();
            var replayed = starts.stream()
                    .filter(span -> !span.links().isEmpty())
                    .findFirst()
                    .orElseThrow();
            var asked = one(spans, "POST /api/v1/approvals/{id}/approve");
            assertThat(started.parent()).isEmpty();
            assertThat(replayed.trace()).isNotEqualTo(started.trace());
            assertThat(replayed.links()).containsExactly(started.trace() + "-" + started.id());
            assertThat(one(spans, "dispatch job.refund").trace()).isEqualTo(started.trace());
            assertThat(one(spans, "approval").trace()).isEqualTo(started.trace());
            assertThat(one(spans, "approval").links()).containsExactly(asked.trace() + "-" + asked.id());
            assertThat(asked.links()).containsExactly(started.trace() + "-" + started.id());
        }
    }

    @Test
    void without_a_collector_a_callers_span_is_handed_to_the_worker_as_it_came() throws Exception {
        try (var server = new RealServer(directory)) {
            var header = "00-" + TRACE + "-" + CALLER + "-00";
            var client = NonbisClient.builder(server.url(), RealServer.ACME)
                    .traceparent(() -> Optional.of(header))
                    .build();
            client.submitJob(JobSubmission.to("job.plain"));

            var polled = client.call(Call.command(
                    "/api/v1/worker/poll",
                    JsonMapper.shared().readTree("{\"worker_id\":\"w\",\"topics\":[\"job.plain\"],\"wait_ms\":5000}")));

            assertThat(polled.body()
                            .path("deliveries")
                            .get(0)
                            .path("traceparent")
                            .asString())
                    .isEqualTo(header);
        }
    }

    @Test
    void a_dead_collector_costs_spans_and_nothing_else() throws Exception {
        URI nobody;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/v1/traces");
        }
        try (var server = server(to(nobody, 100))) {
            for (int i = 0; i < 50; i++) {
                assertThat(server.post("/api/v1/jobs", RealServer.ACME, "", "{\"topic\":\"job.plain\"}")
                                .status())
                        .isEqualTo(200);
            }

            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> server.metrics().lines().anyMatch(TracingTest::tellsOfDroppedSpans));
            assertThat(server.metrics()).contains("nonbis_trace_spans_total{outcome=\"exported\"} 0.0");
        }
    }

    private static boolean tellsOfDroppedSpans(String line) {
        return line.startsWith("nonbis_trace_spans_total{outcome=\"dropped\"}") && !line.endsWith(" 0.0");
    }
}
