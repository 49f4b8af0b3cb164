package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A budget holds whatever becomes of the server: killed twice in the middle of a storm, it has allowed exactly what fits. */
final class KilledPaymentsTest {

    private static final int REQUESTS = 500;
    private static final int ANSWERS_BEFORE_KILL = 60;

    @TempDir
    Path directory;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void five_hundred_payments_against_a_budget_for_twenty_are_twenty_with_kills_in_between() throws Exception {
        new WithinOneDay(InstantSource.system())
                .run(attempt -> storm(Files.createDirectory(directory.resolve("attempt-" + attempt))));
    }

    private void storm(Path directory) throws Exception {
        Files.writeString(directory.resolve("policy.yaml"), """
                payments: {default: allow}
                agents: [{id: research-agent-01, status: active}]
                providers: [{id: api.example, url: "https://api.example.com", status: trusted}]
                budgets: [{agent: research-agent-01, scope: day, cap_usd: "1.00"}]
                """);
        var bodies = new ArrayList<String>();
        for (int i = 0; i < REQUESTS; i++) {
            bodies.add(
                    Envelopes.valid(Instant.now().plus(Duration.ofMinutes(10))).json());
        }
        Map<Integer, String> answers = new ConcurrentHashMap<>();
        for (int kill = 0; kill < 2; kill++) {
            try (var child = new ChildServer(directory, List.of())) {
                stormUntil(child, bodies, answers, ANSWERS_BEFORE_KILL);
            }
        }
        try (var child = new ChildServer(directory, List.of())) {
            stormUntil(child, bodies, answers, Integer.MAX_VALUE);

            assertThat(answers).hasSize(REQUESTS);
            assertThat(answers.values().stream()
                            .filter(body ->
                                    json(body).string("status").orElseThrow().equals("auto_approved")))
                    .hasSize(20);
            assertThat(get(child, "/api/v1/budgets/research-agent-01")).contains("\"spent_usd\":\"1.00\"");
            assertThat(get(child, "/api/v1/audit/head")).contains("\"seq\":" + REQUESTS);
        }
    }

    /** Sends every request; the server is killed once so many are answered. An answer may never differ from one given before. */
    private void stormUntil(ChildServer child, List<String> bodies, Map<Integer, String> answers, int killAfter)
            throws Exception {
        var answered = new CountDownLatch(Math.min(killAfter, bodies.size()));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < bodies.size(); i++) {
                int number = i;
                threads.execute(() -> {
                    var answer = submit(child, number, bodies.get(number));
                    if (answer.isPresent()) {
                        var before = answers.putIfAbsent(number, answer.get());
                        if (before != null && !before.equals(answer.get())) {
                            answers.put(number, "{\"status\":\"two answers\"}");
                        }
                        answered.countDown();
                    }
                });
            }
            answered.await();
            if (killAfter < bodies.size()) {
                child.kill();
            }
        }
        assertThat(answers.values()).noneMatch(body -> body.contains("two answers"));
    }

    /** The decision; empty when the server was killed before it could tell. */
    private Optional<String> submit(ChildServer child, int number, String body) {
        var request = HttpRequest.newBuilder(child.url().resolve("/v1/payment-requests"))
                .header("Authorization", "Bearer " + RealServer.ACME)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "pay-" + number)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        try {
            var response = client.send(request.build(), BodyHandlers.ofString());
            return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
        } catch (IOException killed) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static JsonObject json(String body) {
        return (JsonObject) Json.parse(body.getBytes(StandardCharsets.UTF_8));
    }

    private String get(ChildServer child, String path) throws Exception {
        var request =
                HttpRequest.newBuilder(child.url().resolve(path)).header("Authorization", "Bearer " + RealServer.ACME);
        return client.send(request.build(), BodyHandlers.ofString()).body();
    }
}
