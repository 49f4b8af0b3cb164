package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.server.RealServer.Answer;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.config.StoreUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Three servers on one store, and a client that takes them in turn. What holds on one server holds on all of them together. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ServersContract {

    static final Duration SOON = Duration.ofSeconds(30);
    static final String JOB = "{\"topic\":\"job.none\"}";

    private static final String POLICY = """
            jobs:
              default: allow
              rules:
                - {id: ask, when: 'job.topic == "job.ask"', verdict: require_approval}
            payments:
              default: deny
              rules:
                - {id: small, when: 'amount_usd <= 0.50', verdict: allow}
            agents: [{id: research-agent-01, status: active}]
            providers: [{id: api.example, url: "https://api.example.com", status: trusted}]
            budgets: [{agent: research-agent-01, scope: day, cap_usd: "1.00"}]
            """;

    @TempDir
    static Path directory;

    private final List<RealServer> servers = new ArrayList<>();

    /** Where the store is; it was empty when the first test began. */
    abstract StoreUrl url() throws IOException;

    /** Lets the store lose what it has acknowledged, and gives the words in which a server complains. */
    abstract String loosen() throws IOException;

    /** Undoes {@link #loosen}. */
    abstract void tighten() throws IOException;

    // Those that the test before has left go on; starting servers takes longer than most tests.
    @BeforeEach
    void start() throws IOException {
        Files.writeString(directory.resolve("policy.yaml"), POLICY);
        while (servers.size() < 3) {
            servers.add(new RealServer(directory, 0, url(), Config.Durability.STRICT));
        }
    }

    @AfterAll
    void stop() {
        servers.forEach(RealServer::close);
        stopStore();
    }

    /** Called when no server is left on it. */
    abstract void stopStore();

    @Test
    void one_key_sent_to_all_of_them_at_once_is_one_execution() {
        int before = events("job.submitted").size();
        var answers = atOnce(90, i -> () -> server(i).post("/api/v1/jobs", RealServer.ACME, "k", JOB));

        assertThat(answers).allMatch(answer -> answer.status() == 200);
        assertThat(answers.stream().map(Answer::body).distinct()).hasSize(1);
        assertThat(answers.stream().filter(answer -> !answer.replayed())).hasSize(1);
        assertThat(events("job.submitted")).hasSize(before + 1);
    }

    @Test
    void starts_on_all_of_them_admit_as_many_runs_as_the_limit_allows() {
        server(0).put("/api/v1/workflows/w", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.none\"}]}");
        int before = running(server(0)).size();
        server(1).put("/api/v1/tenants/acme/limits", "{\"max_concurrent_runs\":" + (before + 10) + "}");

        var answers =
                atOnce(90, i -> () -> server(i).post("/api/v1/workflows/w/runs", RealServer.ACME, "start-" + i, "{}"));

        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(10);
        assertThat(answers.stream().filter(answer -> answer.status() != 200))
                .hasSize(80)
                .allMatch(answer -> answer.string("code").equals("max_concurrent_runs_reached"));
        for (var server : servers) {
            assertThat(running(server)).hasSize(before + 10);
        }
        server(2).put("/api/v1/tenants/acme/limits", "{\"max_concurrent_runs\":1000}");
    }

    @Test
    void payments_on_all_of_them_spend_the_budget_to_the_cent_and_a_nonce_once() {
        var bodies = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            bodies.add(envelope());
        }
        var answers = atOnce(
                60, i -> () -> server(i).post("/v1/payment-requests", RealServer.ACME, "pay-" + i, bodies.get(i)));

        assertThat(answers.stream().filter(answer -> answer.string("status").equals("auto_approved")))
                .hasSize(20);
        assertThat(server(1)
                        .get("/api/v1/budgets/research-agent-01", RealServer.ACME)
                        .body())
                .contains("\"spent_usd\":\"1.00\"", "\"left_usd\":\"0.00\"");

        var one = envelope();
        var nonces = atOnce(30, i -> () -> server(i).post("/v1/payment-requests", RealServer.ACME, "nonce-" + i, one));
        assertThat(nonces.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(nonces.stream().filter(answer -> answer.status() == 409))
                .hasSize(29)
                .allMatch(answer -> answer.string("code").equals("protocol.nonce_replay"));
        assertThat(events("payment.")).hasSize(61);
    }

    @Test
    void opposite_decisions_on_different_servers_have_one_winner_each() {
        var jobs = new ArrayList<String>();
        for (int i = 0; i < 12; i++) {
            jobs.add(server(i)
                    .post("/api/v1/jobs", RealServer.ACME, "ask-" + i, "{\"topic\":\"job.ask\"}")
                    .string("job_id"));
        }
        var answers = atOnce(72, i -> () -> {
            var call = i / 12 % 2 == 0 ? "/approve" : "/reject";
            var who = i % 2 == 0 ? RealServer.BOB : RealServer.CAROL;
            return server(i / 12).post("/api/v1/approvals/" + jobs.get(i % 12) + call, who, "", "{}");
        });

        for (int job = 0; job < 12; job++) {
            var outcomes = new ArrayList<String>();
            for (int i = job; i < 72; i += 12) {
                var answer = answers.get(i);
                outcomes.add(answer.status() == 200 ? answer.string("status") : answer.string("code"));
            }
            assertThat(outcomes.stream().filter(outcome -> outcome.equals("approved") || outcome.equals("rejected")))
                    .as("decisions on one job: %s", outcomes)
                    .hasSize(1);
            var allowed = outcomes.contains("approved")
                    ? Set.of("approved", "already_approved", "approval_already_approved")
                    : Set.of("rejected", "already_rejected", "approval_already_rejected");
            assertThat(allowed).containsAll(outcomes);
        }
        assertThat(events("approval.")).hasSize(12);
    }

    @Test
    void a_key_released_on_one_server_is_free_on_the_others_at_once() {
        for (int round = 0; round < 3; round++) {
            var key = "release-" + round;
            var first = server(round).post("/api/v1/jobs", RealServer.ACME, key, JOB);
            for (var server : servers) {
                assertThat(server.post("/api/v1/jobs", RealServer.ACME, key, JOB)
                                .body())
                        .isEqualTo(first.body());
            }
            assertThat(server(round + 1)
                            .delete("/api/v1/idempotency-keys/jobs/" + key, "{\"reason\":\"test\"}")
                            .status())
                    .isBetween(200, 299);
            var second = server(round + 2).post("/api/v1/jobs", RealServer.ACME, key, JOB);
            assertThat(second.replayed()).isFalse();
            assertThat(second.string("job_id")).isNotEqualTo(first.string("job_id"));
        }
    }

    @Test
    void a_job_submitted_here_is_dispatched_and_reaches_a_worker_that_waits_there() {
        var submitted = new ArrayList<String>();
        for (int i = 0; i < 6; i++) {
            submitted.add(server(i)
                    .post("/api/v1/jobs", RealServer.ACME, "", "{\"topic\":\"job.work\"}")
                    .string("job_id"));
        }
        var delivered = new HashSet<String>();
        await().atMost(SOON).until(() -> {
            var answer = server(delivered.size() + 1)
                    .post(
                            "/api/v1/worker/poll",
                            RealServer.ACME,
                            "",
                            "{\"worker_id\":\"w\",\"topics\":[\"job.work\"],\"max\":1,\"wait_ms\":2000}");
            answer.json().array("deliveries").orElseThrow().items().forEach(item -> {
                var job = ((JsonObject) item).string("job_id").orElseThrow();
                assertThat(delivered.add(job)).as("%s is delivered once", job).isTrue();
            });
            return delivered.size() == 6;
        });
        assertThat(delivered).containsExactlyInAnyOrderElementsOf(submitted);
    }

    @Test
    void webhooks_are_told_in_order_and_once_by_whichever_server_is_there() throws IOException {
        try (var receiver = new Receiver()) {
            long before = chain().size();
            server(0).put("/api/v1/webhooks/mirror", "{\"url\":\"" + receiver.url() + "\"}");
            atOnce(20, i -> () -> server(i).post("/api/v1/jobs", RealServer.ACME, "hook-" + i, JOB));
            await().atMost(SOON).until(() -> receiver.got().size() >= 21);
            servers.removeFirst().close();
            server(0).post("/api/v1/jobs", RealServer.ACME, "last", JOB);
            await().atMost(SOON).until(() -> receiver.got().size() >= 22);

            assertThat(receiver.seqs())
                    .containsExactlyElementsOf(LongStream.rangeClosed(before + 1, before + 22)
                            .boxed()
                            .toList());
            assertThat(receiver.got().stream().map(Receiver.Got::id).distinct()).hasSize(22);
        } finally {
            server(0).delete("/api/v1/webhooks/mirror", "");
        }
    }

    @Test
    void the_work_of_servers_that_stop_is_taken_over() {
        awaitDispatch();
        servers.removeFirst().close();
        servers.removeFirst().close();
        awaitDispatch();
    }

    @Test
    void a_relaxed_store_is_told_at_readyz_and_in_every_log() throws IOException {
        server(0).post("/api/v1/jobs", RealServer.ACME, "", JOB);
        var complaint = loosen();
        try {
            assertThatThrownBy(() -> new RealServer(directory, 0, url(), Config.Durability.STRICT))
                    .isInstanceOf(StartRefused.class)
                    .hasMessageContaining(complaint);
            try (var relaxed = new RealServer(directory, 0, url(), Config.Durability.RELAXED)) {
                assertThat(relaxed.get("/readyz", RealServer.ACME).body()).contains("relaxed: ", complaint);
                assertThat(events("durability.relaxed")).hasSize(1);
            }
        } finally {
            tighten();
        }
    }

    final RealServer server(int i) {
        return servers.get(i % servers.size());
    }

    /** All events of acme's log; that they are chained without a gap is checked. */
    final List<JsonObject> chain() {
        var all = new ArrayList<JsonObject>();
        var previous = "0".repeat(64);
        List<JsonValue> page;
        do {
            page = items(server(0).get("/api/v1/audit?limit=1000&after=" + all.size(), RealServer.ACME));
            for (var item : page) {
                var event = (JsonObject) item;
                assertThat(event.integer("seq")).contains(all.size() + 1L);
                assertThat(event.string("prev_hash")).contains(previous);
                previous = event.string("hash").orElseThrow();
                all.add(event);
            }
        } while (!page.isEmpty());
        return all;
    }

    /** The types of the events of acme's log that begin so. */
    private List<String> events(String beginning) {
        return chain().stream()
                .map(event -> event.string("type").orElseThrow())
                .filter(type -> type.startsWith(beginning))
                .toList();
    }

    private void awaitDispatch() {
        var job = server(0)
                .post("/api/v1/jobs", RealServer.ACME, "", "{\"topic\":\"job.left\"}")
                .string("job_id");
        await().atMost(SOON)
                .until(() -> server(1)
                        .get("/api/v1/jobs/" + job, RealServer.ACME)
                        .string("state")
                        .equals("DISPATCHED"));
    }

    private static List<JsonValue> running(RealServer server) {
        return items(server.get("/api/v1/runs?state=RUNNING", RealServer.ACME));
    }

    private static List<JsonValue> items(Answer answer) {
        return answer.json().array("items").orElseThrow().items();
    }

    static List<Answer> atOnce(int times, IntFunction<Callable<Answer>> call) {
        var calls = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < times; i++) {
            calls.add(call.apply(i));
        }
        return RealServer.atOnce(calls);
    }

    private static String envelope() {
        return Envelopes.valid(Instant.now().plus(Duration.ofMinutes(10))).json();
    }
}
