package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.server.RealServer.Answer;
import dev.nonbis.server.cli.StartRefused;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdmissionTest {

    private static final String JOB = "{\"topic\":\"job.default\",\"input\":{\"n\":1}}";
    private static final String OTHER_JOB = "{\"topic\":\"job.default\",\"input\":{\"n\":2}}";

    @TempDir
    Path directory;

    private RealServer server;

    @BeforeEach
    void start() {
        server = new RealServer(directory);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private List<Answer> submit(int times, java.util.function.IntFunction<String> body) {
        var calls = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < times; i++) {
            String sent = body.apply(i);
            calls.add(() -> server.post("/api/v1/jobs", RealServer.ACME, "k", sent));
        }
        return RealServer.atOnce(calls);
    }

    @Test
    void two_hundred_at_once_with_one_key_and_body_are_one_execution() {
        var answers = submit(200, i -> JOB);

        assertThat(answers).allMatch(answer -> answer.status() == 200);
        assertThat(answers.stream().map(Answer::body).distinct()).hasSize(1);
        assertThat(answers.stream().filter(answer -> !answer.replayed())).hasSize(1);
        assertThat(server.get("/api/v1/jobs", RealServer.ACME)
                        .json()
                        .array("items")
                        .orElseThrow()
                        .items())
                .hasSize(1);
        assertThat(server.get("/api/v1/audit/head", RealServer.ACME).json().integer("seq"))
                .contains(1L);
    }

    @Test
    void two_hundred_at_once_with_two_bodies_have_one_winner_and_no_other_error() {
        var answers = submit(200, i -> i % 2 == 0 ? JOB : OTHER_JOB);

        var accepted = answers.stream().filter(answer -> answer.status() == 200).toList();
        var refused = answers.stream().filter(answer -> answer.status() != 200).toList();
        assertThat(accepted).hasSize(100);
        assertThat(accepted.stream().map(Answer::body).distinct()).hasSize(1);
        assertThat(accepted.stream().filter(answer -> !answer.replayed())).hasSize(1);
        assertThat(refused)
                .allMatch(answer ->
                        answer.status() == 422 && answer.string("code").equals("idempotency_key_reused"));
    }

    @Test
    void fifty_starts_at_once_against_a_limit_of_ten_admit_ten() {
        server.put("/api/v1/workflows/w", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"}]}");
        server.put("/api/v1/tenants/acme/limits", "{\"max_concurrent_runs\":10}");
        var calls = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < 50; i++) {
            String key = "start-" + i;
            calls.add(() -> server.post("/api/v1/workflows/w/runs", RealServer.ACME, key, "{}"));
        }

        var answers = RealServer.atOnce(calls);

        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(10);
        assertThat(answers.stream().filter(answer -> answer.status() != 200))
                .hasSize(40)
                .allMatch(answer -> answer.string("code").equals("max_concurrent_runs_reached"));
        assertThat(server.get("/api/v1/runs?state=RUNNING", RealServer.ACME)
                        .json()
                        .array("items")
                        .orElseThrow()
                        .items())
                .hasSize(10);
    }

    @Test
    void one_start_sent_fifty_times_at_once_at_the_limit_is_one_run_and_no_refusal() {
        server.put("/api/v1/workflows/w", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"}]}");
        for (int round = 1; round <= 10; round++) {
            server.put("/api/v1/tenants/acme/limits", "{\"max_concurrent_runs\":" + round + "}");
            String key = "once-" + round;
            var calls = new ArrayList<Callable<Answer>>();
            for (int i = 0; i < 50; i++) {
                calls.add(() -> server.post("/api/v1/workflows/w/runs", RealServer.ACME, key, "{}"));
            }

            var answers = RealServer.atOnce(calls);

            assertThat(answers).allMatch(answer -> answer.status() == 200);
            assertThat(answers.stream().map(Answer::body).distinct()).hasSize(1);
        }
    }

    @Test
    void two_tenants_with_one_key_never_see_each_other() {
        var calls = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < 40; i++) {
            String token = i % 2 == 0 ? RealServer.ACME : RealServer.GLOBEX;
            String body = i % 2 == 0 ? JOB : OTHER_JOB;
            calls.add(() -> server.post("/api/v1/jobs", token, "shared", body));
        }

        var answers = RealServer.atOnce(calls);

        assertThat(answers).allMatch(answer -> answer.status() == 200);
        assertThat(answers.stream().map(answer -> answer.string("job_id")).distinct())
                .hasSize(2);
        String acmes =
                server.post("/api/v1/jobs", RealServer.ACME, "shared", JOB).string("job_id");
        assertThat(server.get("/api/v1/jobs/" + acmes, RealServer.GLOBEX).status())
                .isEqualTo(404);
    }

    @Test
    void what_was_acknowledged_is_there_after_a_restart() {
        var before = server.post("/api/v1/jobs", RealServer.ACME, "k", JOB);
        server.close();
        server = new RealServer(directory);

        var after = server.post("/api/v1/jobs", RealServer.ACME, "k", JOB);

        assertThat(after.body()).isEqualTo(before.body());
        assertThat(after.replayed()).isTrue();
    }

    @Test
    void a_server_that_cannot_listen_says_so_and_leaves_the_store_free(@TempDir Path other) throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> new RealServer(other, taken.getLocalPort()))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        new RealServer(other, 0).close();
    }
}
