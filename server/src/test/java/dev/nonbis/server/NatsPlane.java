package dev.nonbis.server;

import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import dev.nonbis.client.worker.Outcome;
import dev.nonbis.client.worker.Worker;
import dev.nonbis.server.config.BusUrl;
import dev.nonbis.testkit.service.NatsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** A server whose bus is a real broker, workers, and a ledger of what they did. */
final class NatsPlane implements AutoCloseable {

    final NatsServer broker;
    final RealServer server;
    final NonbisClient client;
    /** How often each effect was asked for, by the key that a target would recognise it by. */
    final Map<String, AtomicInteger> ledger = new ConcurrentHashMap<>();

    NatsPlane(Path directory) throws IOException {
        this(directory, NatsServer.start(Files.createDirectories(directory.resolve("broker"))));
    }

    private NatsPlane(Path directory, NatsServer broker) throws IOException {
        this(directory, broker, broker.url());
    }

    /** With something between the server and the broker. */
    NatsPlane(Path directory, NatsServer broker, String url) throws IOException {
        Files.writeString(directory.resolve("topics.yaml"), "defaults: {running_timeout: 20s, dispatch_timeout: 300s}");
        this.broker = broker;
        this.server = new RealServer(directory, 0, new BusUrl.Nats(List.of(url), BusUrl.NatsOptions.DEFAULTS));
        this.client = NonbisClient.builder(server.url(), RealServer.ACME).build();
    }

    Worker httpWorker(String name) {
        return Worker.builder(
                        NonbisClient.builder(server.url(), RealServer.ACME).build())
                .workerId(name)
                .topics("job.default")
                .concurrency(4)
                .pollWait(Duration.ofSeconds(2))
                .start(task -> {
                    effect(task.idempotencyKey());
                    return Outcome.succeeded();
                });
    }

    void effect(String key) {
        ledger.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
    }

    void submit(String prefix, int jobs) {
        for (int i = 0; i < jobs; i++) {
            client.submitJob(JobSubmission.to("job.default").withKey(prefix + "-" + i));
        }
    }

    void awaitState(String state, int jobs) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> count(state) == jobs);
    }

    int count(String state) {
        return client.listJobs(Query.ALL.and("state", state).and("limit", "1000"))
                .answer()
                .body()
                .path("items")
                .size();
    }

    void awaitReady() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> server.get("/readyz", RealServer.ACME).body().contains("\"bus\":\"ok\""));
    }

    /** The highest number of times that one effect was asked for. */
    int mostOften() {
        return ledger.values().stream().mapToInt(AtomicInteger::get).max().orElse(0);
    }

    @Override
    public void close() {
        server.close();
        broker.close();
    }
}
