package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.client.Query;
import dev.nonbis.testkit.net.TcpProxy;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.NatsServer;
import io.nats.client.Nats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Losing the broker, or all that it has, costs time and nothing else. */
@EveryRelease
class NatsLossTest {

    private static final int JOBS = 40;

    @TempDir
    Path directory;

    @Test
    void jobs_that_were_dispatched_to_a_broker_that_is_wiped_are_done_all_the_same_and_once() throws Exception {
        try (var plane = new NatsPlane(directory)) {
            plane.submit("before", JOBS);
            plane.awaitState("DISPATCHED", JOBS);

            plane.broker.restartEmpty();
            plane.awaitReady();
            try (var worker = plane.httpWorker("w")) {
                assertThat(worker).isNotNull();
                plane.awaitState("SUCCEEDED", JOBS);
            }

            assertThat(plane.ledger).hasSize(JOBS);
            assertThat(plane.mostOften()).isEqualTo(1);
            // Under the same names and fences: losing messages uses up no attempt.
            var jobs = plane.client
                    .listJobs(Query.ALL.and("limit", "1000"))
                    .answer()
                    .body()
                    .path("items");
            assertThat(jobs).allSatisfy(job -> {
                assertThat(job.path("attempts").asInt()).isEqualTo(1);
                assertThat(job.path("executions").asInt()).isEqualTo(1);
            });
        }
    }

    @Test
    void while_the_broker_is_away_jobs_are_admitted_and_wait_without_using_attempts() throws Exception {
        try (var plane = new NatsPlane(directory)) {
            plane.broker.kill();
            Awaitility.await()
                    .until(() ->
                            plane.server.get("/readyz", RealServer.ACME).body().contains("\"bus\":\"degraded\""));
            // Admission goes on, so the server stays in service.
            assertThat(plane.server.get("/readyz", RealServer.ACME).status()).isEqualTo(200);
            assertThat(plane.server.get("/livez", RealServer.ACME).status()).isEqualTo(200);

            plane.submit("away", JOBS);
            plane.broker.restart();
            try (var worker = plane.httpWorker("w")) {
                assertThat(worker).isNotNull();
                plane.awaitState("SUCCEEDED", JOBS);
            }

            assertThat(plane.ledger).hasSize(JOBS);
            assertThat(plane.mostOften()).isEqualTo(1);
        }
    }

    @Test
    void a_publish_whose_confirmation_is_cut_off_is_repeated_and_recognised() throws Exception {
        var broker = NatsServer.start(Files.createDirectories(directory.resolve("broker")));
        try (var proxy = TcpProxy.to(broker.port());
                var plane = new NatsPlane(directory, broker, "nats://127.0.0.1:" + proxy.port())) {
            plane.submit("warm", 1);
            plane.awaitState("DISPATCHED", 1);
            proxy.loseAnswers();
            plane.submit("cut", 5);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> plane.server.metrics().contains("nonbis_bus_up 0"));

            proxy.pass();
            try (var worker = plane.httpWorker("w")) {
                assertThat(worker).isNotNull();
                plane.awaitState("SUCCEEDED", 6);
            }

            assertThat(plane.ledger).hasSize(6);
            assertThat(plane.mostOften()).isEqualTo(1);
            assertThat(plane.server.metrics())
                    .containsPattern("nonbis_duplicates_blocked_total\\{layer=\"broker_window\"} [1-9]");
        }
    }

    @Test
    void a_message_that_names_no_job_is_found_among_the_dead_letters_with_its_bytes() throws Exception {
        try (var plane = new NatsPlane(directory);
                var worker = plane.httpWorker("w")) {
            assertThat(worker).isNotNull();
            plane.submit("first", 1);
            plane.awaitState("SUCCEEDED", 1);
            var outside = Nats.connect(plane.broker.url());
            outside.jetStream().publish("job.acme.default", new byte[] {1, 2, 3});
            outside.close();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> !letters(plane).isEmpty());
            var letter = letters(plane).get(0);
            assertThat(letter.path("why").asString()).isEqualTo("unreadable_message");
            assertThat(letter.path("message").asString()).isEqualTo("AQID");
            var retry = plane.server.post(
                    "/api/v1/dlq/" + letter.path("job_id").asString() + "/retry", RealServer.ACME, "", "{}");
            assertThat(retry.status()).isEqualTo(404);
        }
    }

    private static tools.jackson.databind.JsonNode letters(NatsPlane plane) {
        return plane.client.listDeadLetters(Query.ALL).answer().body().path("items");
    }
}
