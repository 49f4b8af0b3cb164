package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log of a real process says, and what it keeps to itself. */
class LogsTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    // Stands in every credential, key and text that is sent.
    private static final String MARK = "xyzzymark";
    private static final String TOKEN = MARK + "-token";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path directory;

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder post(URI url, String path, String body) {
        return HttpRequest.newBuilder(url.resolve(path))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private static String requestId(HttpResponse<String> response) {
        return response.headers().firstValue("Nonbis-Request-Id").orElseThrow();
    }

    @Test
    void lines_carry_the_ids_of_requests_and_traces_and_nothing_that_was_sent() throws Exception {
        var config = directory.resolve("nonbis.yaml");
        var log = directory.resolve("log");
        Files.writeString(config, """
                http: {port: 0}
                management: {port: 0}
                store: {url: "sqlite:nonbis.db"}
                logs: {format: json, requests: all}
                auth:
                  keys:
                    - {subject: alice, tenant: acme, roles: [admin], sha256: "%s"}
                """.formatted(Sha256.hex(TOKEN.getBytes(StandardCharsets.UTF_8))));
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "serve",
                        "--json",
                        "--config",
                        config.toString())
                .redirectError(log.toFile())
                .start();
        HttpResponse<String> submitted;
        HttpResponse<String> repeated;
        try {
            var started =
                    (JsonObject) Json.parse(process.inputReader().readLine().getBytes(StandardCharsets.UTF_8));
            var url = URI.create(started.string("url").orElseThrow());
            var job = post(
                            url,
                            "/api/v1/jobs",
                            "{\"topic\":\"job.a\",\"prompt\":\"%1$s\",\"input\":{\"%1$s\":\"%1$s\"},\"labels\":{\"%1$s\":\"%1$s\"}}"
                                    .formatted(MARK))
                    .header("Idempotency-Key", MARK)
                    .header("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01");
            submitted = send(job);
            repeated = send(job);
            assertThat(submitted.statusCode()).isEqualTo(200);
            var id = ((JsonObject) Json.parse(submitted.body().getBytes(StandardCharsets.UTF_8)))
                    .string("job_id")
                    .orElseThrow();
            for (var request : List.of(
                    post(url, "/api/v1/jobs", "{\"topic\":\"" + MARK + "\"}"),
                    post(url, "/api/v1/jobs", "{\"" + MARK + "\":"),
                    post(url, "/api/v1/jobs?" + MARK + "=" + MARK, "{}"),
                    post(url, "/api/v1/" + MARK, "{}"),
                    post(url, "/v1/payment-requests", "{\"agent_id\":\"" + MARK + "\"}")
                            .header("Idempotency-Key", MARK),
                    post(
                            url,
                            "/api/v1/worker/poll",
                            "{\"worker_id\":\"" + MARK + "\",\"topics\":[\"job.a\"],\"wait_ms\":5000}"),
                    post(url, "/api/v1/jobs/" + id + "/start", "{\"worker_id\":\"" + MARK + "\",\"fence\":1}"),
                    post(
                            url,
                            "/api/v1/jobs/" + id + "/result",
                            "{\"worker_id\":\"" + MARK + "\",\"fence\":1,\"status\":\"failed\",\"error\":\"" + MARK
                                    + "\"}"),
                    HttpRequest.newBuilder(url.resolve("/api/v1/idempotency-keys/jobs/" + MARK))
                            .header("Authorization", "Bearer " + TOKEN),
                    HttpRequest.newBuilder(url.resolve("/api/v1/jobs")).header("X-API-Key", MARK + "-unknown"),
                    HttpRequest.newBuilder(url.resolve("/jobs")).header("Cookie", "nonbis_session=" + MARK),
                    HttpRequest.newBuilder(url.resolve("/sign-in"))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(HttpRequest.BodyPublishers.ofString("key=" + TOKEN)))) {
                send(request);
            }
        } finally {
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            client.close();
        }

        var text = Files.readString(log);
        var lines = text.lines()
                .filter(line -> line.startsWith("{"))
                .map(line -> (JsonObject) Json.parse(line.getBytes(StandardCharsets.UTF_8)))
                .toList();
        assertThat(line(lines, requestId(submitted)).string("trace_id")).contains(TRACE);
        assertThat(line(lines, requestId(submitted)).string("operation")).contains("submitJob");
        assertThat(line(lines, requestId(repeated)).string("original_request")).contains(requestId(submitted));
        assertThat(line(lines, requestId(repeated)).string("blocked_by")).contains("idempotency_key");
        assertThat(lines).hasSizeGreaterThanOrEqualTo(14);
        assertThat(text).doesNotContain(MARK);
    }

    private static JsonObject line(List<JsonObject> lines, String requestId) {
        return lines.stream()
                .filter(line ->
                        line.string("request_id").filter(requestId::equals).isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line about " + requestId));
    }
}
