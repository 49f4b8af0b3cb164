package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import dev.nonbis.client.worker.Outcome;
import dev.nonbis.client.worker.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class WorkersTest {

    private static final int JOBS = 1500;
    private static final int WORKERS = 8;

    @TempDir
    Path directory;

    /** What the outside world saw: effects by key, each applied once however often it is asked for. */
    private static final class Ledger {

        private final ConcurrentMap<String, AtomicInteger> asked = new ConcurrentHashMap<>();

        void apply(String key) {
            asked.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
        }

        int effects() {
            return asked.size();
        }
    }

    @Test
    void jobs_through_workers_that_die_end_once_each_with_one_effect_each() throws Exception {
        Files.writeString(directory.resolve("topics.yaml"), "defaults: {running_timeout: 2s, dispatch_timeout: 5s}");
        try (var server = new RealServer(directory)) {
            var client = NonbisClient.builder(server.url(), RealServer.ACME).build();
            var ledger = new Ledger();
            var workers = new ArrayList<Worker>();
            for (int i = 0; i < WORKERS; i++) {
                workers.add(worker(server, ledger, i));
            }
            submit(client);
            var chance = new SplittableRandom(7);
            for (int round = 0; round < 10; round++) {
                int before = ledger.effects();
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> ledger.effects() >= Math.min(JOBS, before + 100));
                int victim = chance.nextInt(WORKERS);
                workers.get(victim).closeNow();
                workers.set(victim, worker(server, ledger, WORKERS + round));
            }

            Awaitility.await()
                    .atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> count(client, "SUCCEEDED") == JOBS);

            assertThat(ledger.effects()).isEqualTo(JOBS);
            workers.forEach(Worker::close);
        }
    }

    private static Worker worker(RealServer server, Ledger ledger, int number) {
        var client = NonbisClient.builder(server.url(), RealServer.ACME).build();
        return Worker.builder(client)
                .workerId("worker-" + number)
                .topics("job.default")
                .concurrency(4)
                .pollWait(Duration.ofSeconds(2))
                .heartbeat(Duration.ofMillis(500))
                .start(task -> {
                    ledger.apply(task.idempotencyKey());
                    return Outcome.succeeded();
                });
    }

    private static void submit(NonbisClient client) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 10; t++) {
            int first = t * (JOBS / 10);
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = first; i < first + JOBS / 10; i++) {
                    client.submitJob(JobSubmission.to("job.default")
                            .input(JsonMapper.shared().createObjectNode().put("n", i))
                            .withKey("job-" + i));
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
    }

    private static int count(NonbisClient client, String state) {
        int found = 0;
        var query = Query.ALL.and("state", state).and("limit", "1000");
        var page = client.listJobs(query).answer().body();
        found += page.path("items").size();
        while (!page.path("next").isNull()) {
            page = client.listJobs(query.and("after", page.path("next").asString()))
                    .answer()
                    .body();
            found += page.path("items").size();
        }
        return found;
    }

    @Test
    void a_waiting_worker_hears_of_new_work_at_once_and_a_stop_answers_it() {
        try (var server = new RealServer(directory)) {
            var client = NonbisClient.builder(server.url(), RealServer.ACME).build();
            List<String> done = new ArrayList<>();
            try (var worker = Worker.builder(client)
                    .topics("job.default")
                    .pollWait(Duration.ofSeconds(20))
                    .grace(Duration.ofSeconds(5))
                    .start(task -> {
                        synchronized (done) {
                            done.add(task.jobId());
                        }
                        return Outcome.succeeded();
                    })) {
                assertThat(worker).isNotNull();
                var job = client.submitJob(JobSubmission.to("job.default"));
                Awaitility.await()
                        .atMost(Duration.ofSeconds(10))
                        .until(() -> client.getJob(job.jobId())
                                .body()
                                .path("state")
                                .asString()
                                .equals("SUCCEEDED"));
            }
            assertThat(done).hasSize(1);
            assertThat(count(client, "SUCCEEDED")).isEqualTo(1);
        }
    }
}
