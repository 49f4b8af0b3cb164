package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.RealServer.Answer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that exclude each other, made at the same time on a real server: one counts, and every answer agrees with it. */
class DispatchRacesTest {

    private static final int ROUNDS = 20;
    private static final String TOPIC = "job.default";

    @TempDir
    Path directory;

    private RealServer server;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                directory.resolve("topics.yaml"),
                "topics: {job.hold: {running_timeout: 1s, lost_worker: hold}, job.short: {running_timeout: 1s}}");
        server = new RealServer(directory);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Answer post(String path, String body) {
        return server.post(path, RealServer.ACME, "", body);
    }

    private String submit(String topic, String rest) {
        return post("/api/v1/jobs", "{\"topic\":\"" + topic + "\"" + rest + "}").string("job_id");
    }

    private Answer tell(String job, String verb, String worker, int fence, String rest) {
        return post(
                "/api/v1/jobs/" + job + "/" + verb,
                "{\"worker_id\":\"" + worker + "\",\"fence\":" + fence + rest + "}");
    }

    private Answer succeed(String job, int fence) {
        return tell(job, "result", "w", fence, ",\"status\":\"succeeded\"");
    }

    private String state(String job) {
        return server.get("/api/v1/jobs/" + job, RealServer.ACME).string("state");
    }

    private void await(String job, String state) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> state(job).equals(state));
    }

    private String running(String topic, String rest) {
        String job = submit(topic, rest);
        await(job, "DISPATCHED");
        assertThat(tell(job, "start", "w", 1, "").string("status")).isEqualTo("started");
        return job;
    }

    private static String outcome(Answer answer) {
        return answer.status() == 200 ? answer.string("status") : answer.string("code");
    }

    private List<String> states(String job) {
        return server
                .get("/api/v1/jobs/" + job + "/timeline", RealServer.ACME)
                .json()
                .array("items")
                .orElseThrow()
                .items()
                .stream()
                .map(item -> ((JsonObject) item).string("type").orElseThrow())
                .toList();
    }

    @Test
    void of_a_cancellation_and_a_result_at_once_one_counts() {
        for (int i = 0; i < ROUNDS; i++) {
            String job = running(TOPIC, "");
            var answers = RealServer.atOnce(
                    List.of(() -> post("/api/v1/jobs/" + job + "/cancel", "{}"), () -> succeed(job, 1)));

            var said = answers.stream().map(DispatchRacesTest::outcome).toList();
            assertThat(said).isIn(List.of("cancelled", "result_conflict"), List.of("job_already_terminal", "recorded"));
            assertThat(state(job)).isEqualTo(said.get(1).equals("recorded") ? "SUCCEEDED" : "CANCELLED");
            assertThat(states(job).stream().filter(s -> s.equals("SUCCEEDED") || s.equals("CANCELLED")))
                    .hasSize(1);
        }
    }

    @Test
    void of_many_starts_at_once_one_starts() {
        for (int i = 0; i < ROUNDS; i++) {
            String job = submit(TOPIC, "");
            await(job, "DISPATCHED");
            List<Callable<Answer>> calls = new ArrayList<>();
            for (int w = 0; w < 8; w++) {
                String worker = "w" + w;
                calls.add(() -> tell(job, "start", worker, 1, ""));
            }

            var answers = RealServer.atOnce(calls);

            assertThat(answers.stream().filter(answer -> answer.status() == 200))
                    .hasSize(1);
            assertThat(answers.stream().filter(answer -> answer.status() != 200).map(answer -> answer.string("code")))
                    .containsOnly("claimed_elsewhere");
        }
    }

    @Test
    void of_different_results_at_once_one_is_recorded() {
        for (int i = 0; i < ROUNDS; i++) {
            String job = running(TOPIC, "");
            List<Callable<Answer>> calls = new ArrayList<>();
            for (int n = 0; n < 8; n++) {
                String output = ",\"status\":\"succeeded\",\"output\":" + n % 2;
                calls.add(() -> tell(job, "result", "w", 1, output));
            }

            var said = RealServer.atOnce(calls).stream()
                    .map(DispatchRacesTest::outcome)
                    .sorted()
                    .toList();

            assertThat(said)
                    .containsExactly(
                            "already_recorded",
                            "already_recorded",
                            "already_recorded",
                            "recorded",
                            "result_conflict",
                            "result_conflict",
                            "result_conflict",
                            "result_conflict");
        }
    }

    @Test
    void of_a_human_s_word_and_a_late_result_at_once_one_counts() {
        var jobs = new ArrayList<String>();
        for (int i = 0; i < ROUNDS; i++) {
            jobs.add(running("job.hold", ""));
        }
        for (var job : jobs) {
            await(job, "UNKNOWN");
            var answers = RealServer.atOnce(List.of(
                    () -> post("/api/v1/jobs/" + job + "/resolve", "{\"outcome\":\"failed\",\"reason\":\"looked\"}"),
                    () -> succeed(job, 1)));

            boolean human = answers.get(0).status() == 200;
            assertThat(answers.get(1).status()).isEqualTo(human ? 409 : 200);
            assertThat(state(job)).isEqualTo(human ? "FAILED" : "SUCCEEDED");
        }
    }

    @Test
    void a_dead_letter_retried_by_many_at_once_becomes_one_job() {
        String job = running(TOPIC, ",\"max_attempts\":1");
        tell(job, "result", "w", 1, ",\"status\":\"retryable\"");
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            calls.add(() -> post("/api/v1/dlq/" + job + "/retry", "{}"));
        }

        var answers = RealServer.atOnce(calls);

        assertThat(answers.stream().map(answer -> answer.string("retried_as")).distinct())
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> !answer.replayed())).hasSize(1);
    }

    @Test
    void a_heartbeat_and_a_result_after_the_lease_was_given_away_are_stale() {
        String job = running("job.short", "");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> tell(job, "start", "other", 2, "").status() == 200);

        assertThat(tell(job, "heartbeat", "w", 1, "").string("code")).isEqualTo("stale_fence");
        assertThat(succeed(job, 1).string("code")).isEqualTo("stale_fence");
        assertThat(tell(job, "result", "other", 2, ",\"status\":\"succeeded\"").string("status"))
                .isEqualTo("recorded");
    }

    @Test
    void polls_that_ask_for_too_much_are_refused_and_leave_the_work_for_others() {
        String job = submit(TOPIC, "");
        await(job, "DISPATCHED");
        String poll = "{\"worker_id\":\"w\",\"topics\":[\"job.default\"],\"max\":%s,\"wait_ms\":%s}";
        for (var bad : List.of(
                poll.formatted("1000000", "0"),
                poll.formatted("0", "0"),
                poll.formatted("-1", "0"),
                poll.formatted("1", "9007199254740991"),
                poll.formatted("1", "-1"))) {
            assertThat(post("/api/v1/worker/poll", bad).string("code")).isEqualTo("invalid_field");
        }

        assertThat(post("/api/v1/worker/poll", poll.formatted("100", "0"))
                        .json()
                        .array("deliveries")
                        .orElseThrow()
                        .items())
                .hasSize(1);
    }

    @Test
    void a_delivery_whose_poller_hung_up_can_still_be_started_and_the_server_goes_on() throws Exception {
        var waiting = new ArrayList<Socket>();
        for (int i = 0; i < 20; i++) {
            waiting.add(hungUpPoll());
        }
        for (var socket : waiting) {
            socket.close();
        }
        String job = submit(TOPIC, "");
        await(job, "DISPATCHED");

        // Whoever got it is gone; it is not lost with them, and comes again after the time that a worker has to start
        // it.
        assertThat(tell(job, "start", "w", 1, "").string("status")).isEqualTo("started");
        assertThat(succeed(job, 1).string("status")).isEqualTo("recorded");
    }

    private Socket hungUpPoll() throws IOException {
        var socket = new Socket(server.url().getHost(), server.url().getPort());
        String body = "{\"worker_id\":\"gone\",\"topics\":[\"job.default\"],\"wait_ms\":20000}";
        socket.getOutputStream()
                .write(("POST /api/v1/worker/poll HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + RealServer.ACME
                                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                + body)
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void a_cancelled_run_reaches_the_steps_that_run_and_takes_none_of_their_results() {
        server.put(
                "/api/v1/workflows/two",
                "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"},{\"id\":\"b\",\"topic\":\"job.default\",\"needs\":[\"a\"]}]}");
        for (int i = 0; i < 5; i++) {
            String run = post("/api/v1/workflows/two/runs", "{}").string("run_id");
            String step = JobId.ofStep(new RunId(run), "a").value();
            await(step, "DISPATCHED");
            tell(step, "start", "w", 1, "");
            var answers = RealServer.atOnce(
                    List.of(() -> post("/api/v1/runs/" + run + "/cancel", "{}"), () -> succeed(step, 1)));

            assertThat(answers.get(0).status()).isEqualTo(200);
            assertThat(server.get("/api/v1/runs/" + run, RealServer.ACME).string("state"))
                    .isEqualTo("CANCELLED");
            assertThat(state(step)).isEqualTo(answers.get(1).status() == 200 ? "SUCCEEDED" : "CANCELLED");
        }
    }
}
