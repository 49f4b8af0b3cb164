package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.testkit.SimulatedClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks from a real server to a real receiver. */
@Timeout(120)
class WebhooksTest {

    private static final String JOB = "{\"topic\":\"job.default\"}";

    @TempDir
    Path directory;

    private RealServer server;
    private HttpServer receiver;
    private final List<Got> got = new CopyOnWriteArrayList<>();
    private final AtomicInteger answer = new AtomicInteger(204);

    /** One message as it came. */
    private record Got(String id, String timestamp, String signature, byte[] body) {

        JsonObject json() {
            return (JsonObject) Json.parse(body);
        }

        long seq() {
            return json().object("data").orElseThrow().integer("seq").orElseThrow();
        }
    }

    @BeforeEach
    void start() throws IOException {
        server = new RealServer(directory);
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", this::receive);
        receiver.start();
    }

    @AfterEach
    void stop() {
        server.close();
        receiver.stop(0);
    }

    private void receive(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        got.add(new Got(
                headers.getFirst("webhook-id"),
                headers.getFirst("webhook-timestamp"),
                headers.getFirst("webhook-signature"),
                exchange.getRequestBody().readAllBytes()));
        exchange.sendResponseHeaders(answer.get(), -1);
        exchange.close();
    }

    private RealServer.Answer put(String more) {
        return server.put(
                "/api/v1/webhooks/mirror",
                "{\"url\":\"http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook?x=1\"" + more + "}");
    }

    private void submit(int jobs) {
        for (int i = 0; i < jobs; i++) {
            server.post("/api/v1/jobs", RealServer.ACME, "", JOB);
        }
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(40));
    }

    private void awaitMessages(int count) {
        await().until(() -> got.size() >= count);
    }

    @Test
    void every_event_is_told_once_in_order_and_signed_by_the_standard() throws GeneralSecurityException {
        submit(3);
        var secret = put("").string("secret");
        submit(20);

        awaitMessages(21);

        // Itself being put is the first thing that happens after it was.
        assertThat(got.stream().map(Got::seq).toList())
                .containsExactlyElementsOf(
                        java.util.stream.LongStream.rangeClosed(4, 24).boxed().toList());
        assertThat(got.stream().map(Got::id).distinct().toList()).hasSize(21);
        for (var message : got) {
            assertThat(message.id()).startsWith("evt_");
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
            mac.update((message.id() + "." + message.timestamp() + ".").getBytes(StandardCharsets.UTF_8));
            assertThat(message.signature())
                    .isEqualTo("v1," + Base64.getEncoder().encodeToString(mac.doFinal(message.body())));
        }
    }

    @Test
    void only_the_wanted_types_are_told_and_replays_are_no_events() {
        put(",\"types\":[\"job.cancelled\"]");
        server.post("/api/v1/jobs", RealServer.ACME, "once", JOB);
        var job = server.post("/api/v1/jobs", RealServer.ACME, "once", JOB).string("job_id");
        server.post("/api/v1/jobs/" + job + "/cancel", RealServer.ACME, "", "");

        awaitMessages(1);

        assertThat(got.getFirst().json().string("type")).contains("job.cancelled");
        assertThat(got.getFirst().json().object("data").orElseThrow().string("subject"))
                .contains(job);
    }

    @Test
    void what_failed_comes_again_under_the_same_id_after_a_restart_too_and_later_ones_wait_behind_it() {
        var clock = new SimulatedClock(Instant.parse("2026-03-01T12:00:00Z"));
        server.close();
        server = new RealServer(directory, clock);
        answer.set(500);
        put("");
        submit(2);
        await().until(() -> deliveries().contains("1 retrying 1"));
        server.close();
        answer.set(200);
        server = new RealServer(directory, clock);
        clock.advance(Duration.ofSeconds(5));

        awaitMessages(4);

        assertThat(got.get(1).id()).isEqualTo(got.get(0).id());
        assertThat(got.stream().map(Got::seq).toList()).containsExactly(1L, 1L, 2L, 3L);
        await().untilAsserted(() ->
                assertThat(deliveries()).isEqualTo(List.of("3 delivered 1", "2 delivered 1", "1 delivered 2")));
    }

    @Test
    void a_redirect_is_not_followed_wherever_it_leads() throws IOException {
        try (var elsewhere = new Receiver();
                var redirecting = new Receiver()) {
            redirecting.answer = 307;
            redirecting.location = elsewhere.url();
            server.put("/api/v1/webhooks/mirror", "{\"url\":\"" + redirecting.url() + "\"}");

            await().until(() -> deliveries().contains("1 retrying 1"));

            assertThat(redirecting.got()).hasSize(1);
            assertThat(elsewhere.got()).isEmpty();
        }
    }

    @Test
    void an_address_that_is_gone_is_called_no_more_until_it_is_put_again() {
        answer.set(410);
        put("");
        await().until(() ->
                server.get("/api/v1/webhooks", RealServer.ACME).body().contains("410 Gone"));
        answer.set(200);
        put("");

        await().until(() -> deliveries().stream().anyMatch(line -> line.startsWith("1 delivered")));
    }

    @Test
    void one_tenants_webhooks_hear_and_show_nothing_of_another() {
        put("");
        awaitMessages(1);
        server.post("/api/v1/jobs", RealServer.GLOBEX, "", JOB);
        submit(1);
        awaitMessages(2);

        assertThat(got.stream().map(Got::seq).toList()).containsExactly(1L, 2L);
        assertThat(server.get("/api/v1/webhooks", RealServer.GLOBEX).body()).isEqualTo("{\"items\":[]}");
        assertThat(server.get("/api/v1/webhooks/mirror/deliveries", RealServer.GLOBEX)
                        .status())
                .isEqualTo(404);
    }

    private List<String> deliveries() {
        var lines = new ArrayList<String>();
        for (var item : server.get("/api/v1/webhooks/mirror/deliveries", RealServer.ACME)
                .json()
                .array("items")
                .orElseThrow()
                .items()) {
            var json = (JsonObject) item;
            lines.add(json.integer("seq").orElseThrow() + " "
                    + json.string("status").orElseThrow() + " "
                    + json.integer("attempts").orElseThrow());
        }
        return lines;
    }
}
