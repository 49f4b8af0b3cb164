package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No request makes a server run out of memory that has the heap of the launcher, however much is stored. */
final class LargeAnswersTest {

    private static final int JOBS = 300;
    private static final int INPUT_BYTES = 930_000;
    private static final int NUMBERS = 460_000;
    private static final int MOST_ANSWER_BYTES = 8 << 20;

    @TempDir
    Path directory;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Set<String> delivered = ConcurrentHashMap.newKeySet();

    @Test
    void three_hundred_large_jobs_are_listed_shown_and_handed_out_without_an_end_of_the_memory() throws Exception {
        try (var server = new ChildServer(directory, ChildServer.LAUNCHER_HEAP)) {
            submit(server);
            var taken = poll(server, "w", 100);
            assertThat(taken).isNotEmpty();
            tell(server, taken.getFirst());
            read(server);
            assertThat(server.isAlive()).isTrue();
        }
        try (var server = new ChildServer(directory, ChildServer.LAUNCHER_HEAP)) {
            work(server);
            read(server);
            // One is a worker's, which goes on.
            assertThat(delivered).hasSize(JOBS - 1);
            assertThat(server.isAlive()).isTrue();
        }
    }

    private void submit(ChildServer server) throws Exception {
        atOnce(
                2,
                IntStream.range(0, JOBS)
                        .<Callable<Integer>>mapToObj(i -> () -> {
                            var body = "{\"topic\":\"job.default\",\"labels\":" + labels() + ",\"input\":" + input(i)
                                    + "}";
                            var answer = send(
                                    server,
                                    request(server, "/api/v1/jobs")
                                            .header("Idempotency-Key", "large-" + i)
                                            .POST(HttpRequest.BodyPublishers.ofString(body)));
                            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                            return i;
                        })
                        .toList());
    }

    /** Makes a long timeline and a log of large events. */
    private void tell(ChildServer server, String job) throws Exception {
        post(server, "/api/v1/jobs/" + job + "/start", "{\"worker_id\":\"w\",\"fence\":1}");
        var note = "\u20ac".repeat(2000);
        var calls = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 100; i++) {
            calls.add(() -> post(
                    server,
                    "/api/v1/jobs/" + job + "/heartbeat",
                    "{\"worker_id\":\"w\",\"fence\":1,\"note\":\"" + note + "\"}"));
        }
        for (int i = 0; i < 200; i++) {
            calls.add(() -> {
                var made = send(
                        server,
                        request(server, "/api/v1/jobs")
                                .POST(HttpRequest.BodyPublishers.ofString("{\"topic\":\"job.other\"}")));
                String id = json(made.body()).string("job_id").orElseThrow();
                return post(server, "/api/v1/jobs/" + id + "/cancel", "{\"reason\":\"" + note + "\"}");
            });
        }
        atOnce(8, calls);
    }

    private int post(ChildServer server, String path, String body) {
        var answer = send(server, request(server, path).POST(HttpRequest.BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return 1;
    }

    private static String labels() {
        var labels = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            labels.add("\"label-" + i + "\":\"" + "l".repeat(1000) + "\"");
        }
        return "{" + String.join(",", labels) + "}";
    }

    private static String input(int i) {
        return i % 20 == 0
                ? "{\"n\":" + i + ",\"xs\":[" + "0,".repeat(NUMBERS) + "1]}"
                : "{\"n\":" + i + ",\"x\":\"" + "x".repeat(INPUT_BYTES) + "\"}";
    }

    /** Lists, timelines, the log and pages of the console, several at once. */
    private void read(ChildServer server) throws Exception {
        var cookie = signIn(server);
        var ids = ids(server, "/api/v1/jobs?limit=1000&topic=job.default", "job_id");
        assertThat(ids).hasSize(JOBS);
        assertThat(new HashSet<>(ids)).hasSize(JOBS);
        var calls = new ArrayList<Callable<Integer>>();
        for (var id : ids.subList(0, 20)) {
            calls.add(() -> good(server, "/api/v1/jobs/" + id));
            calls.add(() -> good(server, "/api/v1/jobs/" + id + "/timeline"));
            calls.add(() -> shown(server, "/jobs/" + id, cookie));
        }
        for (int i = 0; i < 8; i++) {
            calls.add(() -> ids(server, "/api/v1/jobs?limit=1000&state=DISPATCHED", "job_id")
                    .size());
            calls.add(() -> ids(server, "/api/v1/jobs?limit=1000&label=label-7:" + "l".repeat(1000), "job_id")
                    .size());
            calls.add(() -> ids(server, "/api/v1/audit?limit=1000", "id").size());
            calls.add(() -> shown(server, "/jobs", cookie));
            calls.add(() -> shown(server, "/audit", cookie));
        }
        atOnce(8, calls);
    }

    private int good(ChildServer server, String path) {
        assertThat(get(server, path).statusCode()).isEqualTo(200);
        return 1;
    }

    private int shown(ChildServer server, String path, String cookie) {
        var page =
                send(server, HttpRequest.newBuilder(server.url().resolve(path)).header("Cookie", cookie));
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body().length()).isLessThan(MOST_ANSWER_BYTES);
        return 1;
    }

    private String signIn(ChildServer server) {
        return send(
                        server,
                        HttpRequest.newBuilder(server.url().resolve("/sign-in"))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(HttpRequest.BodyPublishers.ofString("key=" + RealServer.ACME)))
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .split(";", 2)[0];
    }

    private List<String> ids(ChildServer server, String path, String name) {
        var ids = new ArrayList<String>();
        var next = Optional.of("");
        while (next.isPresent()) {
            var answer = get(
                    server,
                    path
                            + next.map(after -> after.isEmpty() ? "" : "&after=" + after)
                                    .get());
            assertThat(answer.statusCode()).isEqualTo(200);
            var page = json(answer.body());
            page.array("items")
                    .orElseThrow()
                    .items()
                    .forEach(item -> ids.add(((JsonObject) item).string(name).orElseThrow()));
            next = page.string("next").or(() -> page.integer("next").map(Object::toString));
        }
        return ids;
    }

    private List<String> poll(ChildServer server, String worker, int max) {
        var answer = send(
                server,
                request(server, "/api/v1/worker/poll")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"worker_id\":\"" + worker
                                + "\",\"topics\":[\"job.default\"],\"max\":" + max + "}")));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body().length()).isLessThan(MOST_ANSWER_BYTES);
        return json(answer.body()).array("deliveries").orElseThrow().items().stream()
                .map(item -> (JsonObject) item)
                .map(delivery -> {
                    var input = delivery.object("input").orElseThrow();
                    if (input.has("xs")) {
                        assertThat(input.array("xs").orElseThrow().items()).hasSize(NUMBERS + 1);
                    } else {
                        assertThat(input.string("x").orElseThrow()).hasSize(INPUT_BYTES);
                    }
                    return delivery.string("job_id").orElseThrow();
                })
                .toList();
    }

    /** Eight workers with ten each until there is nothing left. */
    private void work(ChildServer server) throws Exception {
        atOnce(
                8,
                IntStream.range(0, 8)
                        .<Callable<Integer>>mapToObj(worker -> () -> {
                            long end = System.nanoTime() + 60_000_000_000L;
                            while (delivered.size() < JOBS - 1 && System.nanoTime() < end) {
                                delivered.addAll(poll(server, "w" + worker, 10));
                            }
                            return worker;
                        })
                        .toList());
    }

    private static void atOnce(int threads, List<Callable<Integer>> calls) throws Exception {
        try (var pool = Executors.newFixedThreadPool(threads)) {
            for (var done : pool.invokeAll(calls)) {
                done.get();
            }
        }
    }

    private static HttpRequest.Builder request(ChildServer server, String path) {
        return HttpRequest.newBuilder(server.url().resolve(path))
                .header("Authorization", "Bearer " + RealServer.ACME)
                .header("Content-Type", "application/json");
    }

    private HttpResponse<String> get(ChildServer server, String path) {
        return send(server, request(server, path));
    }

    private HttpResponse<String> send(ChildServer server, HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("no answer; the server lives: " + server.isAlive(), e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static JsonObject json(String text) {
        return (JsonObject) Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
