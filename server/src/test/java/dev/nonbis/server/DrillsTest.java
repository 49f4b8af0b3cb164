package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.cli.NonbisCommand;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.cli.Terminal;
import dev.nonbis.testkit.SimulatedClock;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drills against a real server, whose clock is moved instead of waited for, and against one behind a gateway that loses keys. */
class DrillsTest {

    private final SimulatedClock clock = new SimulatedClock(Instant.parse("2026-03-01T12:00:00Z"));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    private RealServer server;

    @BeforeEach
    void start() {
        server = new RealServer(directory, clock);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_healthy_server_does_what_every_drill_expects_and_keeps_nothing_open() {
        int exit = run(server.url(), RealServer.ACME, "drill", "--hour");

        assertThat(lines()).filteredOn(line -> !line.endsWith(" ok")).containsExactly("drill step expected seen");
        assertThat(exit).as("%s%n%s", out, err).isZero();
        assertThat(lines())
                .contains(
                        "approvals approve again, 5 at once 5 × already_approved 5 × already_approved ok",
                        "admission look its key up key_not_found key_not_found ok",
                        "payments ask for the same under another key protocol.nonce_replay protocol.nonce_replay ok",
                        "dispatch start it under the first fence stale_fence stale_fence ok",
                        "window publish again at +30 s broker_window broker_window ok",
                        "window publish again at +119 s broker_window broker_window ok",
                        "window publish again at +121 s job_state job_state ok",
                        "window submit again at +3600 s the same job, by idempotency_key the same job, by idempotency_key ok");
        assertThat(open()).isEmpty();
        assertThat(server.get("/api/v1/tenants/acme/limits", RealServer.ACME).body())
                .contains("\"max_concurrent_runs\":null", "\"active_runs\":0");
        assertThat(server.get("/api/v1/jobs", RealServer.GLOBEX).body()).contains("\"items\":[]");
    }

    @Test
    void a_storm_of_retries_makes_every_job_once() {
        int exit = run(server.url(), RealServer.ACME, "drill", "payments", "--chaos", "retry-storm", "--json");

        assertThat(exit).as("%s%n%s", out, err).isZero();
        var steps = ((JsonArray) Json.parse(out.toByteArray())).items();
        assertThat(steps)
                .filteredOn(step -> step.toString().contains("retry-storm"))
                .hasSize(4);
        assertThat(((JsonObject) steps.getFirst()).string("drill")).contains("payments");
        assertThat(open()).isEmpty();
    }

    @Test
    void a_gateway_that_loses_keys_is_found_out_and_the_limit_is_put_back() {
        server.put("/api/v1/tenants/acme/limits", "{\"max_concurrent_runs\":7}");
        try (var proxy = new KeyDroppingProxy(server.url())) {
            assertThat(run(proxy.url(), RealServer.ACME, "drill", "payments")).isEqualTo(1);
            assertThat(lines()).contains("payments ask for a payment decided protocol.idempotency_key_required NOT OK");
            assertThat(err.toString(StandardCharsets.UTF_8)).contains(" steps not as expected");

            assertThat(run(proxy.url(), RealServer.ACME, "drill", "admission")).isEqualTo(1);
            assertThat(lines())
                    .anyMatch(line -> line.startsWith("admission send it once more") && line.endsWith("NOT OK"));
        }
        assertThat(server.get("/api/v1/tenants/acme/limits", RealServer.ACME).body())
                .contains("\"max_concurrent_runs\":7", "\"active_runs\":0");
        assertThat(open()).isEmpty();
    }

    @Test
    void whoever_would_decide_about_their_own_request_is_told_what_is_missing() {
        assertThat(run(server.url(), "drill", "approvals", Map.of("NONBIS_API_KEY", RealServer.ACME)))
                .isEqualTo(1);

        assertThat(lines()).contains("approvals approve approved self_approval_denied NOT OK");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--approver-key-file");
        assertThat(open()).isEmpty();
    }

    @Test
    void a_key_that_nobody_knows_ends_all_drills_at_once() {
        assertThat(run(server.url(), "nobody", "drill")).isEqualTo(4);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("error: unauthenticated");
    }

    private int run(URI url, String key, String... args) {
        return run(url, Map.of("NONBIS_API_KEY", key, "NONBIS_APPROVER_API_KEY", RealServer.BOB), args);
    }

    private int run(URI url, String first, String second, Map<String, String> environment) {
        return run(url, environment, first, second);
    }

    private int run(URI url, Map<String, String> environment, String... args) {
        var all = new java.util.HashMap<>(environment);
        all.put("NONBIS_URL", url.toString());
        out.reset();
        var terminal = new Terminal(
                new Terminal.Streams(
                        InputStream.nullInputStream(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                all,
                directory,
                wait -> {
                    clock.advance(wait);
                    // The server's loops run in real time.
                    Thread.sleep(40);
                },
                clock);
        return new NonbisCommand(terminal, config -> {
                    throw new StartRefused("no server", "none is needed here");
                })
                .run(args);
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    /** Jobs that have not ended. */
    private List<String> open() {
        return ((JsonObject) Json.parse(server.get("/api/v1/jobs?limit=1000", RealServer.ACME)
                        .body()
                        .getBytes(StandardCharsets.UTF_8)))
                .array("items").orElseThrow().items().stream()
                        .map(job -> ((JsonObject) job).string("state").orElseThrow())
                        .filter(state -> !List.of("SUCCEEDED", "FAILED", "CANCELLED", "DENIED")
                                .contains(state))
                        .toList();
    }
}
