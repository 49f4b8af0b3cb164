package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import dev.nonbis.client.nats.NatsCarrier;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.Services;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.impl.Headers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client of the broker can do that has no business with others, or no credential of ours. */
@EveryRelease
final class NatsStrangersTest {

    /** Blocks of headers that the broker passes on and the client library cannot read. */
    private static final List<String> MALFORMED = List.of(
            "NATS/1.0\r\nName: \u00e4\u00f6\r\n\r\n",
            "NATS/1.0\r\nNo colon\r\n\r\n",
            "NATS/1.0\r\n: no name\r\n\r\n",
            "NATS/1.0\r\nA name: with a space\r\n\r\n",
            "NATS/1.0\r\nName: no end",
            "NATS/9.9\r\n\r\n",
            "x");

    @TempDir
    Path directory;

    /** A connection that ends with the block it is made in. */
    private record Client(Connection connection) implements AutoCloseable {

        static Client of(NatsPlane plane, String inboxPrefix) throws Exception {
            return new Client(Nats.connect(new Options.Builder()
                    .server(plane.broker.url())
                    .inboxPrefix(inboxPrefix)
                    .build()));
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Message call(Connection nats, String token, String path) throws InterruptedException {
        var headers = new Headers().add("Nonbis-Method", "GET").add("Nonbis-Path", path);
        if (!token.isEmpty()) {
            headers.add("Authorization", "Bearer " + token);
        }
        return nats.request("nonbis.api", headers, new byte[0], Duration.ofSeconds(5));
    }

    // While a flood of requests fills what waits for the server, the client library drops messages, and the caller asks
    // again.
    private static Message callUntilAnswered(Connection nats, String token, String path) throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            var answer = call(nats, token, path);
            if (answer != null) {
                return answer;
            }
        }
        throw new AssertionError("no answer in ten tries");
    }

    @Test
    void an_answer_goes_to_an_inbox_of_the_caller_and_nowhere_else() throws Exception {
        try (var plane = new NatsPlane(directory);
                var client = Client.of(plane, "_INBOX")) {
            var nats = client.connection();
            plane.submit("first", 1);
            plane.awaitState("DISPATCHED", 1);
            var others = nats.subscribe("_INBOX_globex.>");
            for (var reply : List.of(
                    "job.acme.default",
                    "sys.acme.result.default",
                    "$JS.API.STREAM.PURGE.NONBIS_JOBS",
                    "$JS.API.CONSUMER.DELETE.NONBIS_JOBS.acme~job~default",
                    "$JS.API.STREAM.DELETE.NONBIS_JOBS",
                    "_INBOX",
                    "_INBOX_globex.x",
                    "_INBOXES.x")) {
                for (var path : List.of("/livez", "/api/v1/events", "/api/v1/jobs")) {
                    for (var token : List.of("", RealServer.ACME)) {
                        var headers = new Headers().add("Nonbis-Method", "GET").add("Nonbis-Path", path);
                        if (!token.isEmpty()) {
                            headers.add("Authorization", "Bearer " + token);
                        }
                        nats.publish("nonbis.api", reply, headers, new byte[0]);
                    }
                }
            }
            // Answered behind all of these.
            assertThat(call(nats, RealServer.ACME, "/livez")).isNotNull();
            Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);

            var management = nats.jetStreamManagement();
            assertThat(management.getStreamInfo("NONBIS_JOBS").getStreamState().getLastSequence())
                    .isEqualTo(1);
            assertThat(management.getStreamInfo("NONBIS_JOBS").getStreamState().getMsgCount())
                    .isEqualTo(1);
            assertThat(management.getStreamInfo("NONBIS_SYS").getStreamState().getMsgCount())
                    .isZero();
            assertThat(management.getConsumerInfo("NONBIS_JOBS", "acme~job~default"))
                    .isNotNull();
            assertThat(others.nextMessage(Duration.ofMillis(1))).isNull();
        }
    }

    @Test
    void a_tenant_is_answered_in_its_own_inbox() throws Exception {
        try (var plane = new NatsPlane(directory);
                var own = Client.of(plane, NatsCarrier.inboxPrefix("acme"))) {
            var nats = own.connection();
            var client = NonbisClient.over(new NatsCarrier(nats, Duration.ofSeconds(5)), RealServer.ACME);

            assertThat(client.listJobs(Query.ALL).answer().body().path("items").isArray())
                    .isTrue();
            assertThat(nats.createInbox()).startsWith("_INBOX_acme.");
        }
    }

    @Test
    void a_route_that_streams_is_refused_and_holds_nothing() throws Exception {
        try (var plane = new NatsPlane(directory);
                var client = Client.of(plane, "_INBOX")) {
            var nats = client.connection();
            for (int i = 0; i < 200; i++) {
                var answer = call(nats, RealServer.ACME, "/api/v1/events");
                assertThat(answer.getHeaders().getFirst("Nonbis-Status")).isEqualTo("404");
                assertThat(answer.getData()).isNotEmpty();
            }
            assertThat(plane.server.metrics()).contains("nonbis_event_streams 0");
        }
    }

    @Test
    void a_message_with_headers_that_nobody_can_read_costs_that_message() throws Exception {
        try (var plane = new NatsPlane(directory);
                var client = Client.of(plane, "_INBOX");
                var raw = new RawNats(plane.broker.port())) {
            var nats = client.connection();
            plane.submit("before", 1);
            plane.awaitState("DISPATCHED", 1);
            for (var headers : MALFORMED) {
                raw.publish("nonbis.api", "_INBOX.nobody.1", headers, "{}");
                raw.publish("job.acme.default", "", headers, "{}");
            }
            plane.submit("behind", 5);

            assertThat(call(nats, RealServer.ACME, "/livez"))
                    .as("the API answers")
                    .isNotNull();
            try (var worker = plane.httpWorker("w")) {
                assertThat(worker).isNotNull();
                Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> plane.count("SUCCEEDED") == 6);
            }
            assertThat(plane.server.get("/readyz", RealServer.ACME).status()).isEqualTo(200);
            var letters =
                    plane.client.listDeadLetters(Query.ALL).answer().body().path("items");
            assertThat(letters).hasSize(MALFORMED.size());
            assertThat(letters)
                    .allSatisfy(
                            letter -> assertThat(letter.path("why").asString()).isEqualTo("unreadable_message"));
        }
    }

    @Test
    void random_subjects_headers_replies_and_bodies_stop_nobody() throws Exception {
        var chance = new Random(20_261_119);
        try (var plane = new NatsPlane(directory);
                var client = Client.of(plane, "_INBOX");
                var raw = new RawNats(plane.broker.port());
                var worker = plane.httpWorker("w")) {
            assertThat(worker).isNotNull();
            plane.submit("before", 1);
            for (int i = 0; i < 400; i++) {
                var subject = List.of("nonbis.api", "job.acme.default", "job." + word(chance), "sys." + word(chance))
                        .get(chance.nextInt(4));
                var reply = List.of("", "_INBOX." + word(chance), "_INBOX_" + word(chance) + ".x", word(chance))
                        .get(chance.nextInt(4));
                raw.publish(subject, reply, headers(chance), bytes(chance, chance.nextInt(2000)));
            }
            plane.submit("behind", 3);

            assertThat(call(client.connection(), RealServer.ACME, "/livez")).isNotNull();
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> plane.count("SUCCEEDED") == 4);
            assertThat(plane.server.get("/readyz", RealServer.ACME).status()).isEqualTo(200);
        }
    }

    private static String headers(Random chance) {
        var headers = new StringBuilder(chance.nextInt(5) > 0 ? "NATS/1.0" : bytes(chance, 8));
        headers.append(chance.nextInt(5) > 0 ? "\r\n" : " 4" + bytes(chance, 2) + "\r\n");
        for (int left = chance.nextInt(4); left > 0; left--) {
            // A NATS server of 2.9 itself ends at a Nats-Msg-Id without an end of line.
            var known = Services.NEWEST ? "Nats-Msg-Id" : "Nats-Subject";
            var name = List.of("Nonbis-Path", "Nonbis-Method", "Authorization", known, word(chance))
                    .get(chance.nextInt(5));
            headers.append(name).append(chance.nextInt(8) > 0 ? ":" : "").append(bytes(chance, chance.nextInt(60)));
            headers.append(chance.nextInt(8) > 0 ? "\r\n" : "");
        }
        return headers.append(chance.nextInt(5) > 0 ? "\r\n" : "").toString();
    }

    private static String bytes(Random chance, int count) {
        var text = new StringBuilder();
        for (int left = count; left > 0; left--) {
            text.append((char) chance.nextInt(256));
        }
        return text.toString();
    }

    private static String word(Random chance) {
        return Integer.toString(chance.nextInt(Integer.MAX_VALUE), 36)
                + (chance.nextBoolean() ? "." + chance.nextInt(9) : "");
    }

    @Test
    void a_message_for_a_job_that_the_store_does_not_have_is_dropped_and_counted() throws Exception {
        try (var plane = new NatsPlane(directory);
                var client = Client.of(plane, "_INBOX");
                var worker = plane.httpWorker("w")) {
            assertThat(worker).isNotNull();
            plane.submit("first", 1);
            plane.awaitState("SUCCEEDED", 1);
            client.connection().jetStream().publish("job.acme.default", """
                            {"message_id":"jobreq:job_00000000000000000000000009","tenant":"acme","topic":"job.default",\
                            "job_id":"job_00000000000000000000000009","execution":1}""".getBytes(StandardCharsets.UTF_8));

            Awaitility.await().until(() -> plane.server.metrics().contains("nonbis_bus_unasked_messages_total 1.0"));
            assertThat(plane.client.listDeadLetters(Query.ALL).answer().body().path("items"))
                    .isEmpty();
        }
    }

    @Test
    void one_tenant_that_waits_with_all_it_has_and_sends_the_largest_bodies_leaves_room_for_another() throws Exception {
        try (var plane = new NatsPlane(directory);
                var client = Client.of(plane, "_INBOX")) {
            var poll = "{\"worker_id\":\"w\",\"topics\":[\"job.none\"],\"max\":1,\"wait_ms\":20000}";
            for (int i = 0; i < 700; i++) {
                publish(client.connection(), RealServer.ACME, poll);
            }
            for (int i = 0; i < 200; i++) {
                publish(client.connection(), RealServer.ACME, poll + " ".repeat(900_000));
            }

            for (int i = 0; i < 50; i++) {
                var answer = callUntilAnswered(client.connection(), RealServer.GLOBEX, "/api/v1/jobs");
                assertThat(answer.getHeaders().getFirst("Nonbis-Status")).isEqualTo("200");
            }
            assertThat(plane.server.get("/readyz", RealServer.ACME).status()).isEqualTo(200);
        }
    }

    private static void publish(Connection nats, String token, String body) {
        var headers = new Headers()
                .add("Nonbis-Method", "POST")
                .add("Nonbis-Path", "/api/v1/worker/poll")
                .add("Content-Type", "application/json")
                .add("Authorization", "Bearer " + token);
        nats.publish("nonbis.api", nats.createInbox(), headers, body.getBytes(StandardCharsets.UTF_8));
    }
}
