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
import dev.nonbis.server.store.redis.Redis;
import dev.nonbis.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on one Redis, and clients that take them in turn. What holds on SQLite holds here. */
final class RedisServersTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String JOB = "{\"topic\":\"job.none\"}";
    private static final String POLICY = """
            payments:
              default: deny
              rules:
                - {id: small, when: 'amount_usd <= 0.50', verdict: allow}
            agents: [{id: research-agent-01, status: active}]
            providers: [{id: api.example, url: "https://api.example.com", status: trusted}]
            budgets: [{agent: research-agent-01, scope: day, cap_usd: "1.00"}]
            """;

    @TempDir
    Path directory;

    private @Nullable RedisServer started;
    private final List<RealServer> servers = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        started = Redis.startOrSkip();
        Files.writeString(directory.resolve("policy.yaml"), POLICY);
        for (int i = 0; i < 2; i++) {
            servers.add(new RealServer(directory, 0, url(), Config.Durability.STRICT));
        }
    }

    @AfterEach
    void stop() {
        servers.forEach(RealServer::close);
        if (started != null) {
            started.close();
        }
    }

    @Test
    void webhooks_are_told_in_order_and_once_by_whichever_server_is_there() throws IOException {
        try (var receiver = new Receiver()) {
            server(0).put("/api/v1/webhooks/mirror", "{\"url\":\"" + receiver.url() + "\"}");
            atOnce(20, i -> () -> server(i).post("/api/v1/jobs", RealServer.ACME, "hook-" + i, JOB));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> receiver.got().size() >= 21);
            servers.removeFirst().close();
            server(0).post("/api/v1/jobs", RealServer.ACME, "last", JOB);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> receiver.got().size() >= 22);

            assertThat(receiver.seqs())
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 22).boxed().toList());
            assertThat(receiver.got().stream().map(Receiver.Got::id).distinct()).hasSize(22);
        }
    }

    @Test
    void keys_limits_budgets_and_the_audit_chain_are_exact_across_servers() throws IOException {
        var jobs = atOnce(40, i -> () -> server(i).post("/api/v1/jobs", RealServer.ACME, "k", JOB));
        assertThat(jobs).allMatch(answer -> answer.status() == 200);
        assertThat(jobs.stream().map(Answer::body).distinct()).hasSize(1);
        assertThat(jobs.stream().filter(answer -> !answer.replayed())).hasSize(1);

        server(0).put("/api/v1/workflows/w", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.none\"}]}");
        server(1).put("/api/v1/tenants/acme/limits", "{\"max_concurrent_runs\":5}");
        var runs =
                atOnce(30, i -> () -> server(i).post("/api/v1/workflows/w/runs", RealServer.ACME, "start-" + i, "{}"));
        assertThat(runs.stream().filter(answer -> answer.status() == 200)).hasSize(5);
        assertThat(runs.stream().filter(answer -> answer.status() != 200))
                .allMatch(answer -> answer.string("code").equals("max_concurrent_runs_reached"));
        for (int i = 0; i < 30; i++) {
            var stored = redis().command("GET", "nonbis:{acme}:idem:runs:start-" + i);
            if (runs.get(i).status() == 200) {
                assertThat(stored).startsWith("1 " + runs.get(i).string("run_id") + " ");
            } else {
                assertThat(stored).isEmpty();
            }
        }

        var bodies = new ArrayList<String>();
        for (int i = 0; i < 30; i++) {
            bodies.add(
                    Envelopes.valid(Instant.now().plus(Duration.ofMinutes(10))).json());
        }
        var payments = atOnce(
                30, i -> () -> server(i).post("/v1/payment-requests", RealServer.ACME, "pay-" + i, bodies.get(i)));
        assertThat(payments.stream().filter(answer -> answer.string("status").equals("auto_approved")))
                .hasSize(20);
        checkChain();
    }

    @Test
    void a_job_submitted_here_reaches_a_worker_that_waits_there() {
        var submitted = new ArrayList<String>();
        for (int i = 0; i < 4; i++) {
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
            return delivered.size() == 4;
        });
        assertThat(delivered).containsExactlyInAnyOrderElementsOf(submitted);
    }

    @Test
    void of_a_redis_killed_under_load_no_answer_is_lost_and_no_job_is_doubled() throws Exception {
        var answers = new ConcurrentHashMap<String, String>();
        var done = new AtomicBoolean();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var clients = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 6; i++) {
                int client = i;
                Callable<Integer> call = () -> submitUntil(done, client, answers);
                clients.add(callers.submit(call));
            }
            for (int kill = 0; kill < 2; kill++) {
                int before = answers.size();
                await().atMost(SOON).until(() -> answers.size() > before + 30);
                redis().kill();
                redis().startAgain();
            }
            int before = answers.size();
            await().atMost(SOON).until(() -> answers.size() > before + 30);
            done.set(true);
            for (var client : clients) {
                client.get();
            }
        }

        var jobs = new HashMap<String, Integer>();
        for (var type : events("job.submitted")) {
            jobs.merge(type, 1, Integer::sum);
        }
        assertThat(jobs.values()).allMatch(times -> times == 1);
        assertThat(jobs.keySet()).containsAll(answers.values());
        for (var answer : Map.copyOf(answers).entrySet()) {
            assertThat(server(answer.getKey().length())
                            .post("/api/v1/jobs", RealServer.ACME, answer.getKey(), JOB)
                            .string("job_id"))
                    .isEqualTo(answer.getValue());
        }
        assertThat(server(0).get("/readyz", RealServer.ACME).status()).isEqualTo(200);
    }

    @Test
    void a_relaxed_redis_is_told_at_readyz_and_in_every_log() throws IOException {
        redis().command("CONFIG", "SET", "appendfsync", "everysec");

        assertThatThrownBy(() -> new RealServer(directory, 0, url(), Config.Durability.STRICT))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("appendfsync is not always");
        servers.add(new RealServer(directory, 0, url(), Config.Durability.RELAXED));

        assertThat(servers.getLast().get("/readyz", RealServer.ACME).body())
                .contains("relaxed: appendfsync is not always");
        assertThat(checkChain())
                .extracting(event -> event.string("type").orElseThrow())
                .containsExactly("durability.relaxed");
    }

    /** Submits under one key after the other, each until it is answered, as a client does that sends again. */
    private int submitUntil(AtomicBoolean done, int client, Map<String, String> answers) {
        int number = 0;
        for (int tries = client; !done.get(); tries++) {
            var key = "c" + client + "-" + number;
            var answer = server(tries).post("/api/v1/jobs", RealServer.ACME, key, JOB);
            if (answer.status() == 200) {
                answers.put(key, answer.string("job_id"));
                number++;
            } else {
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.string("retry")).isEqualTo("same_key");
            }
        }
        return number;
    }

    private List<String> events(String type) {
        return checkChain().stream()
                .filter(event -> event.string("type").orElseThrow().equals(type))
                .map(event -> event.string("subject").orElseThrow())
                .toList();
    }

    /** All events of acme's log; that they are chained without a gap is checked. */
    private List<JsonObject> checkChain() {
        var all = new ArrayList<JsonObject>();
        var previous = "0".repeat(64);
        List<JsonValue> page;
        do {
            page = server(0)
                    .get("/api/v1/audit?limit=1000&after=" + all.size(), RealServer.ACME)
                    .json()
                    .array("items")
                    .orElseThrow()
                    .items();
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

    private static List<Answer> atOnce(int times, IntFunction<Callable<Answer>> call) {
        var calls = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < times; i++) {
            calls.add(call.apply(i));
        }
        return RealServer.atOnce(calls);
    }

    private RealServer server(int i) {
        return servers.get(i % servers.size());
    }

    private StoreUrl url() {
        return new StoreUrl.Redis(redis().host(), redis().port(), 0, "", "", false);
    }

    private RedisServer redis() {
        if (started == null) {
            throw new IllegalStateException("Redis was not started");
        }
        return started;
    }
}
