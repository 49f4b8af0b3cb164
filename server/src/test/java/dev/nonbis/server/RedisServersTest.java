package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nonbis.server.config.StoreUrl;
import dev.nonbis.server.store.redis.Redis;
import dev.nonbis.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Several servers on one Redis. */
final class RedisServersTest extends ServersContract {

    private static @Nullable RedisServer started;

    @BeforeAll
    static void startRedis() throws IOException {
        started = Redis.startOrSkip();
    }

    @Override
    void stopStore() {
        if (started != null) {
            started.close();
        }
    }

    @Override
    StoreUrl url() {
        return new StoreUrl.Redis(redis().host(), redis().port(), 0, "", "", false, "");
    }

    @Override
    String loosen() throws IOException {
        redis().command("CONFIG", "SET", "appendfsync", "everysec");
        return "appendfsync is not always";
    }

    @Override
    void tighten() throws IOException {
        redis().command("CONFIG", "SET", "appendfsync", "always");
    }

    @Test
    void the_key_of_a_run_names_the_run_and_that_of_a_refused_one_is_not_there() throws IOException {
        server(0).put("/api/v1/workflows/named", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.none\"}]}");
        var run = server(1).post("/api/v1/workflows/named/runs", RealServer.ACME, "named", "{}");
        var refused = server(2).post("/api/v1/workflows/unknown/runs", RealServer.ACME, "refused", "{}");

        assertThat(redis().command("GET", "nonbis:{acme}:idem:runs:named"))
                .startsWith("1 " + run.string("run_id") + " ");
        assertThat(refused.status()).isEqualTo(404);
        assertThat(redis().command("EXISTS", "nonbis:{acme}:idem:runs:refused")).isEqualTo("0");
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
        chain().stream()
                .filter(event -> event.string("type").orElseThrow().equals("job.submitted"))
                .forEach(event -> jobs.merge(event.string("subject").orElseThrow(), 1, Integer::sum));
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

    private static RedisServer redis() {
        if (started == null) {
            throw new IllegalStateException("Redis was not started");
        }
        return started;
    }
}
