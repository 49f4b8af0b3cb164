package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stream of events over a real socket. */
@Timeout(60)
class EventsTest {

    private static final String JOB = "{\"topic\":\"job.default\"}";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private RealServer server;

    @TempDir
    Path directory;

    @BeforeEach
    void start() {
        server = new RealServer(directory);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    /** One event as it came. */
    private record Event(long id, String type, JsonObject data) {}

    /** A client that reads one event at a time. */
    private final class Listener implements AutoCloseable {

        private final BufferedReader lines;
        private final HttpResponse<java.io.InputStream> response;

        Listener(String token, String query, String lastEventId) throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/events" + query))
                    .header("Authorization", "Bearer " + token);
            if (!lastEventId.isEmpty()) {
                request.header("Last-Event-ID", lastEventId);
            }
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        Event next() throws IOException {
            long id = -1;
            String type = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = Long.parseLong(line.substring(4));
                } else if (line.startsWith("event: ")) {
                    type = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    return new Event(
                            id, type, (JsonObject) Json.parse(line.substring(6).getBytes(StandardCharsets.UTF_8)));
                }
            }
            throw new AssertionError("the stream has ended");
        }

        List<Long> ids(int count) throws IOException {
            var ids = new ArrayList<Long>();
            while (ids.size() < count) {
                ids.add(next().id());
            }
            return ids;
        }

        @Override
        public void close() throws IOException {
            response.body().close();
        }
    }

    @Test
    void the_place_of_a_listener_that_has_left_is_free_at_once() throws Exception {
        for (int i = 0; i < 3; i++) {
            new Listener(RealServer.ACME, "", "").close();
        }
        // Well within the time after which a silent listener hears something.
        await().atMost(Duration.ofSeconds(10)).until(() -> Double.parseDouble(listeners()) == 0);
    }

    private String listeners() throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(server.managementUrl().resolve("/metrics"));
        var name = "nonbis_event_streams ";
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElseThrow()
                .substring(name.length());
    }

    private String submit(String token) {
        return server.post("/api/v1/jobs", token, "", JOB).string("job_id");
    }

    @Test
    void an_event_is_told_when_it_happens_and_without_its_payload() throws Exception {
        submit(RealServer.ACME);
        try (var listener = new Listener(RealServer.ACME, "", "")) {
            assertThat(listener.response.headers().firstValue("content-type")).contains("text/event-stream");
            var job = submit(RealServer.ACME);

            var event = listener.next();

            assertThat(event.id()).isEqualTo(2);
            assertThat(event.data().string("type")).contains("job.submitted");
            assertThat(event.data().string("subject")).contains(job);
            assertThat(event.data().string("actor")).contains("alice");
            assertThat(event.data().members().keySet())
                    .containsExactlyInAnyOrder("seq", "id", "ts", "type", "actor", "subject");
        }
    }

    @Test
    void a_listener_that_comes_back_again_and_again_under_load_misses_nothing_and_hears_nothing_twice()
            throws Exception {
        int jobs = 400;
        var writer = Thread.ofVirtual().start(() -> {
            List<Callable<RealServer.Answer>> calls = IntStream.range(0, jobs)
                    .<Callable<RealServer.Answer>>mapToObj(
                            i -> () -> server.post("/api/v1/jobs", RealServer.ACME, "k" + i, JOB))
                    .toList();
            RealServer.atOnce(calls);
        });
        var heard = new ArrayList<Long>();
        String last = "0";
        while (heard.size() < jobs) {
            try (var listener = new Listener(RealServer.ACME, "", last)) {
                heard.addAll(listener.ids(Math.min(37, jobs - heard.size())));
                last = String.valueOf(heard.getLast());
            }
        }
        writer.join();

        assertThat(heard)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, jobs).boxed().toList());
    }

    @Test
    void a_listener_goes_on_after_a_restart_of_the_server_where_it_was() throws Exception {
        IntStream.range(0, 5).forEach(i -> submit(RealServer.ACME));
        var heard = new ArrayList<Long>();
        try (var listener = new Listener(RealServer.ACME, "", "0")) {
            heard.addAll(listener.ids(3));
        }
        submit(RealServer.ACME);
        server.close();
        server = new RealServer(directory);
        submit(RealServer.ACME);

        try (var listener = new Listener(RealServer.ACME, "", String.valueOf(heard.getLast()))) {
            heard.addAll(listener.ids(4));
            submit(RealServer.ACME);
            heard.addAll(listener.ids(1));
        }

        assertThat(heard).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void what_happens_to_one_tenant_is_not_told_to_another() throws Exception {
        try (var listener = new Listener(RealServer.GLOBEX, "?after=0", "")) {
            submit(RealServer.ACME);
            var own = submit(RealServer.GLOBEX);

            assertThat(listener.next().data().string("subject")).contains(own);
        }
    }

    @Test
    void a_replay_is_no_event() throws Exception {
        try (var listener = new Listener(RealServer.ACME, "?after=0", "")) {
            server.post("/api/v1/jobs", RealServer.ACME, "once", JOB);
            server.post("/api/v1/jobs", RealServer.ACME, "once", JOB);
            var next = server.post("/api/v1/jobs", RealServer.ACME, "other", JOB);

            assertThat(listener.next().id()).isEqualTo(1);
            assertThat(listener.next().data().string("subject")).contains(next.string("job_id"));
        }
    }

    @Test
    void what_was_dropped_from_the_log_is_told_as_a_gap() throws Exception {
        submit(RealServer.ACME);
        submit(RealServer.ACME);
        long sealed = server.post("/api/v1/audit/checkpoints", RealServer.ACME, "", "")
                .json()
                .integer("seq")
                .orElseThrow();
        server.post("/api/v1/audit/drop", RealServer.ACME, "", "{\"through\":" + sealed + ",\"reason\":\"old\"}");

        try (var listener = new Listener(RealServer.ACME, "?after=1", "")) {
            var gap = listener.next();
            assertThat(gap.type()).isEqualTo("gap");
            assertThat(gap.data().integer("after")).contains(1L);
            assertThat(gap.data().integer("through")).contains(sealed);
            assertThat(listener.next().data().string("type")).contains("audit.segment_dropped");
        }
    }

    @Test
    void a_place_that_is_no_number_is_refused() throws Exception {
        var answer = server.get("/api/v1/events?after=yesterday", RealServer.ACME);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.string("code")).isEqualTo("invalid_query");
    }

    @Test
    void a_tenant_has_a_bounded_number_of_streams_and_a_closed_one_makes_room() throws Exception {
        var listeners = new ArrayList<Listener>();
        try {
            for (int i = 0; i < 128; i++) {
                listeners.add(new Listener(RealServer.ACME, "", ""));
            }
            assertThat(server.get("/api/v1/events", RealServer.ACME).string("code"))
                    .isEqualTo("overloaded");
            try (var other = new Listener(RealServer.GLOBEX, "", "")) {
                assertThat(other.response.statusCode()).isEqualTo(200);
            }
        } finally {
            for (var listener : listeners) {
                listener.close();
            }
        }
        // A client that left is noticed when something is written to it.
        org.awaitility.Awaitility.await().until(() -> {
            submit(RealServer.ACME);
            try (var again = new Listener(RealServer.ACME, "", "")) {
                return again.response.statusCode() == 200;
            }
        });
    }

    @Test
    void a_stop_ends_the_streams() throws Exception {
        try (var listener = new Listener(RealServer.ACME, "", "")) {
            server.close();

            assertThat(listener.lines.lines().filter(line -> line.startsWith("data")))
                    .isEmpty();
        }
    }
}
