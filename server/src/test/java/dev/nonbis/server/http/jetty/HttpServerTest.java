package dev.nonbis.server.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.Authenticator;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Failures;
import dev.nonbis.server.http.Handler;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Observer;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpServerTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final HttpConfig CONFIG =
            HttpConfig.loopback(0).with(limits(LONG, LONG, LONG, Duration.ofMillis(500)));

    private static final Actor ALICE = new Actor(new TenantId("acme"), "alice", Set.of(Role.SUBMITTER));

    private final List<HttpServer> servers = new ArrayList<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void stop() {
        release.countDown();
        servers.forEach(server -> server.close(Duration.ZERO));
    }

    private static HttpLimits limits(Duration header, Duration body, Duration idle, Duration linger) {
        var connections = new HttpLimits.ConnectionLimits(100, 50, LONG, address -> false);
        return new HttpLimits(1 << 20, 16 << 10, 100, connections, header, body, idle, 1024, linger);
    }

    private static HttpConfig deadlines(Duration header, Duration body, Duration idle) {
        return CONFIG.with(limits(header, body, idle, Duration.ofMillis(500)));
    }

    private HttpServer start(HttpConfig config) {
        var routes = List.of(
                new Route(Method.POST, "/echo", Access.anyKnown(), "echo", HttpServerTest::echo),
                open(Method.POST, "/open", HttpServerTest::echo),
                open(Method.GET, "/echo", HttpServerTest::echo),
                open(Method.GET, "/held", call -> held()),
                open(Method.GET, "/broken", call -> {
                    throw new IllegalStateException("secret");
                }));
        var parts = new Router.Parts(HttpServerTest::caller, Failures.NONE, Observer.NONE);
        var server = HttpServer.start(config, new Router(routes, parts), new RequestIds(InstantSource.system()));
        servers.add(server);
        return server;
    }

    /** Everybody but those who say that they are nobody. */
    private static Authenticator.Result caller(Request request) {
        return request.header("x-nobody").isPresent() ? new Authenticator.Missing() : new Authenticator.Known(ALICE);
    }

    private RawClient connect(HttpConfig config) throws IOException {
        return RawClient.connect(start(config).port());
    }

    private static Route open(Method method, String pattern, Handler handler) {
        return new Route(method, pattern, Access.open(), method + pattern, handler);
    }

    private static Response echo(Call call) {
        return new Response(
                200,
                "application/json",
                Map.of("X-Seen", seen(call)),
                call.request().body());
    }

    private static String seen(Call call) {
        return new TreeMap<>(call.request().query()) + " " + call.request().headerValues("X-Twice") + " "
                + call.request().headers().getOrDefault("host", List.of());
    }

    private Response held() {
        entered.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Response(200, "text/plain", Map.of(), new byte[] {'!'});
    }

    @Test
    void a_connection_serves_one_request_after_another() throws IOException {
        try (var client = connect(CONFIG)) {
            for (var body : List.of("{}", "[1]", "\"x\"")) {
                var answer = client.post("/echo", body).answer();

                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo(body);
                assertThat(answer.header("content-type")).isEqualTo("application/json");
                assertThat(answer.header("nonbis-request-id")).startsWith("req_");
                assertThat(answer.headers()).doesNotContainKeys("server", "connection");
            }
        }
    }

    @Test
    void requests_sent_at_once_are_answered_in_order() throws IOException {
        try (var client = connect(CONFIG)) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1"
                    + "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n2\r\n1\r\n0\r\n0\r\n\r\n"
                    + "GET /echo HTTP/1.1\r\nHo");

            assertThat(client.answer().body()).isEqualTo("1");
            assertThat(client.answer().body()).isEqualTo("20");
            assertThat(client.send("st: x\r\n\r\n").answer().status()).isEqualTo(200);
        }
    }

    @Test
    void headers_and_query_reach_the_handler() throws IOException {
        try (var client = connect(CONFIG)) {
            client.send("GET /echo?a=1&a=%32&b=+ HTTP/1.1\r\nHost: x\r\nX-Twice: 1\r\nx-twice: 2, 3\r\n\r\n");

            assertThat(client.answer().header("x-seen")).isEqualTo("{a=[1, 2], b=[ ]} [1, 2, 3] [x]");
        }
    }

    @Test
    void head_is_get_without_the_body() throws IOException {
        try (var client = connect(CONFIG)) {
            client.send("HEAD /nowhere HTTP/1.1\r\nHost: x\r\n\r\n");
            var head = client.head();
            var get = client.get("/nowhere").answer();

            assertThat(head.status()).isEqualTo(404);
            assertThat(head.header("content-length")).isEqualTo(get.header("content-length"));
        }
    }

    @Test
    void what_is_not_there_is_a_problem_and_the_connection_goes_on() throws IOException {
        try (var client = connect(CONFIG)) {
            assertProblem(client.get("/nowhere").answer(), 404, "not_found");
            assertProblem(client.send("BREW /echo HTTP/1.1\r\nHost: x\r\n\r\n").answer(), 501, "not_implemented");
            assertThat(client.ended()).isTrue();
        }
        try (var client = connect(CONFIG)) {
            assertProblem(client.send("PATCH /echo HTTP/1.1\r\nHost: x\r\n\r\n").answer(), 405, "method_not_allowed");
            assertProblem(client.get("/broken").answer(), 500, "internal_error");
            assertProblem(client.get("/echo?a=%ff").answer(), 400, "invalid_query");
            assertThat(client.post("/echo", "{}").answer().status()).isEqualTo(200);
        }
    }

    private static void assertProblem(RawClient.Answer answer, int status, String code) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
        assertThat(answer.header("nonbis-request-id")).startsWith("req_");
        assertThat(answer.body())
                .contains("\"code\":\"" + code + "\"")
                .contains(answer.header("nonbis-request-id"))
                .doesNotContain("secret", "Exception", "jetty");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GARBAGE\r\n\r\n",
                "GET /echo HTTP/1.1\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: x\r\nBad Name: y\r\n\r\n",
                "GET /echo HTTP/1.1\nHost: x\n\n",
                "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n1",
                "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
                "POST /echo HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxXX0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\nx\r\n0\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
                "GET http://x/echo HTTP/1.1\r\nHost: y\r\n\r\n",
                "GET http:///echo HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET\t/echo HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /echo\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            })
    void broken_http_is_a_problem_and_ends_the_connection(String bytes) throws IOException {
        try (var client = connect(CONFIG)) {
            assertProblem(client.send(bytes).answer(), 400, "malformed_request");
            assertThat(client.ended()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\nGET /echo HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET http://x/echo HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /echo HTTP/1.0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;extension=1\r\n{}\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nTrailer: 1\r\n\r\n",
            })
    void what_http_allows_is_taken(String bytes) throws IOException {
        try (var client = connect(CONFIG)) {
            assertThat(client.send(bytes).answer().status()).isEqualTo(200);
        }
    }

    @Test
    void options_is_answered_with_the_methods() throws IOException {
        try (var client = connect(CONFIG)) {
            var answer =
                    client.send("OPTIONS /echo HTTP/1.1\r\nHost: x\r\n\r\n").head();

            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.header("allow")).isEqualTo("GET, HEAD, POST, OPTIONS");
        }
    }

    @Test
    void a_body_that_is_announced_too_large_is_refused_before_it_is_sent() throws IOException {
        try (var client = connect(CONFIG)) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n");

            assertProblem(client.answer(), 413, "body_too_large");
        }
    }

    @Test
    void a_client_that_sends_a_large_body_regardless_still_reads_the_answer() throws IOException {
        try (var client = connect(CONFIG)) {
            client.post("/echo", "x".repeat(3 << 20));

            assertProblem(client.answer(), 413, "body_too_large");
            assertThat(client.get("/echo").ended()).isTrue();
        }
    }

    @Test
    void a_body_in_chunks_is_refused_when_it_grows_too_large() throws IOException {
        try (var client = connect(CONFIG)) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            var chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
            for (int i = 0; i < 17; i++) {
                client.send(chunk);
            }

            assertProblem(client.answer(), 413, "body_too_large");
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void a_body_of_the_allowed_size_is_taken() throws IOException {
        try (var client = connect(CONFIG)) {
            var body = "x".repeat(1 << 20);

            assertThat(client.post("/echo", body).answer().body()).isEqualTo(body);
            assertThat(client.post("/echo", "{}").answer().status()).isEqualTo(200);
        }
    }

    @Test
    void headers_that_are_too_many_or_too_large_are_refused() throws IOException {
        try (var many = connect(CONFIG);
                var large = connect(CONFIG);
                var longPath = connect(CONFIG)) {
            var lines = new StringBuilder();
            for (int i = 0; i < 101; i++) {
                lines.append("X-").append(i).append(": 1\r\n");
            }
            many.send("GET /echo HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n");
            large.send("GET /echo HTTP/1.1\r\nHost: x\r\nX-Large: " + "x".repeat(17 << 10) + "\r\n\r\n");
            longPath.send("GET /" + "x".repeat(17 << 10) + " HTTP/1.1\r\nHost: x\r\n\r\n");

            assertProblem(many.answer(), 431, "headers_too_large");
            assertProblem(large.answer(), 431, "headers_too_large");
            assertProblem(longPath.answer(), 414, "uri_too_long");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n{}\r\n0\r\n\r\n", "2\r\n{}\r\nzz\r\nyy\r\n"})
    void chunks_that_are_not_taken_are_answered_once_and_end_the_connection(String chunks) throws IOException {
        try (var client = connect(CONFIG)) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);

            assertProblem(client.answer(), 400, "malformed_request");
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void a_client_that_is_slow_with_its_headers_is_cut_off() throws IOException {
        var config = deadlines(SHORT, LONG, LONG);
        try (var client = connect(config)) {
            client.send("GET /echo HTTP/1.1\r\nHost:");

            assertProblem(client.answer(), 408, "request_timeout");
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void a_client_that_sends_its_body_in_drips_is_cut_off() throws Exception {
        var config = deadlines(LONG, SHORT, LONG);
        try (var client = connect(config)) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
            var dripping = Thread.ofVirtual().start(() -> drip(client));

            assertProblem(client.answer(), 408, "request_timeout");
            assertThat(client.ended()).isTrue();
            dripping.interrupt();
            dripping.join();
        }
    }

    /** Sends a byte well within any timeout on one read, until the server has had enough. */
    private static void drip(RawClient client) {
        var pause = new CountDownLatch(1);
        try {
            while (!pause.await(20, TimeUnit.MILLISECONDS)) {
                client.send("x");
            }
        } catch (IOException | InterruptedException cutOff) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_silent_connection_is_closed_without_a_word() throws IOException {
        var config = deadlines(LONG, LONG, SHORT);
        try (var fresh = connect(config);
                var used = connect(config)) {
            assertThat(used.post("/echo", "{}").answer().status()).isEqualTo(200);

            assertThatThrownBy(used::answer).hasMessage("the server ended the connection after: ");
            assertThatThrownBy(fresh::answer).hasMessage("the server ended the connection after: ");
        }
    }

    @Test
    void a_handler_may_take_longer_than_any_deadline() throws Exception {
        var config = deadlines(SHORT, SHORT, SHORT);
        var port = start(config).port();
        try (var working = RawClient.connect(port);
                var silent = RawClient.connect(port)) {
            working.get("/held");
            entered.await();
            assertThat(silent.ended()).isTrue();
            release.countDown();

            assertThat(working.answer().body()).isEqualTo("!");
        }
    }

    @Test
    void a_client_may_ask_to_end_the_connection() throws IOException {
        try (var client = connect(CONFIG)) {
            var last = "GET /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            client.send(last + last);

            assertThat(client.answer().header("connection")).isEqualTo("close");
            assertThatThrownBy(client::answer).isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_client_that_waits_to_be_told_to_continue_is_told() throws IOException {
        try (var client = connect(CONFIG)) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");

            assertThat(client.head().status()).isEqualTo(100);
            assertThat(client.send("{}").answer().body()).isEqualTo("{}");
            assertThat(client.post("/echo", "[]").answer().body()).isEqualTo("[]");
        }
    }

    @Test
    void a_client_that_leaves_in_the_middle_of_a_body_gets_no_effect() throws IOException {
        try (var client = connect(CONFIG)) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{}")
                    .finish();

            assertProblem(client.answer(), 400, "malformed_request");
            assertThat(entered.getCount()).isEqualTo(1);
        }
    }

    @Test
    void a_draining_server_answers_what_is_under_way_and_what_still_arrives() throws Exception {
        var server = start(CONFIG.with(limits(LONG, LONG, LONG, LONG)));
        try (var working = RawClient.connect(server.port());
                var kept = RawClient.connect(server.port())) {
            assertThat(kept.post("/echo", "{}").answer().headers()).doesNotContainKey("connection");
            working.get("/held");
            entered.await();
            var closing = Thread.ofVirtual().start(() -> server.close(LONG));
            refuseConnections(server.port());

            var late = kept.post("/echo", "{}").answer();
            assertThat(late.status()).isEqualTo(200);
            assertThat(late.header("connection")).isEqualTo("close");
            assertThat(kept.ended()).isTrue();
            release.countDown();
            var last = working.answer();
            assertThat(last.body()).isEqualTo("!");
            assertThat(last.header("connection")).isEqualTo("close");
            closing.join();
        }
    }

    @Test
    void no_connection_is_reset_when_a_server_under_load_stops() throws Exception {
        var server = start(CONFIG);
        var resets = new ConcurrentLinkedQueue<String>();
        var started = new CountDownLatch(50);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                threads.execute(() -> callUntilClosed(server.port(), started, resets));
            }
            started.await();
            server.close(LONG);
        }

        assertThat(resets).isEmpty();
    }

    /** A connection may end before an answer has begun, and in no other way. */
    private static void callUntilClosed(int port, CountDownLatch started, Queue<String> resets) {
        try (var client = RawClient.connect(port)) {
            boolean last = false;
            while (!last) {
                var answer = client.post("/echo", "x".repeat(1000)).answer();
                started.countDown();
                last = answer.header("connection").equals("close");
            }
        } catch (IOException ended) {
            if (!String.valueOf(ended.getMessage()).equals("the server ended the connection after: ")) {
                resets.add(ended.toString());
            }
        }
    }

    @Test
    void a_draining_server_ends_silent_connections() throws Exception {
        var server = start(CONFIG);
        try (var silent = RawClient.connect(server.port())) {
            assertThat(silent.get("/echo").answer().status()).isEqualTo(200);

            server.close(LONG);

            assertThat(silent.ended()).isTrue();
        }
    }

    private static void refuseConnections(int port) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> {
            try (var _ = RawClient.connect(port)) {
                return false;
            } catch (IOException refused) {
                return true;
            }
        });
    }

    @Test
    void a_drain_ends_when_its_time_is_up() throws Exception {
        var server = start(CONFIG);
        try (var stuck = RawClient.connect(server.port())) {
            stuck.get("/held");
            entered.await();

            server.close(Duration.ofMillis(100));

            assertThat(stuck.ended()).isTrue();
        }
    }

    @Test
    void two_listeners_have_their_own_routers() throws IOException {
        var management = HttpServer.start(
                CONFIG,
                new Router(
                        List.of(open(Method.GET, "/livez", call -> new Response(200, "a/b", Map.of(), new byte[0]))),
                        new Router.Parts(request -> new Authenticator.Missing(), Failures.NONE, Observer.NONE)),
                new RequestIds(InstantSource.system()));
        servers.add(management);
        try (var api = connect(CONFIG);
                var health = RawClient.connect(management.port())) {
            assertThat(api.get("/livez").answer().status()).isEqualTo(404);
            assertThat(health.get("/livez").answer().status()).isEqualTo(200);
            assertThat(health.get("/echo").answer().status()).isEqualTo(404);
        }
    }

    @Test
    void tls_serves_the_configured_certificate(@TempDir Path directory) throws Exception {
        var certificate = SelfSigned.in(directory);
        var server = start(CONFIG.with(certificate.files()));
        try (var client = RawClient.on(certificate.connect(server.port()))) {
            assertThat(client.post("/echo", "{}").answer().body()).isEqualTo("{}");
            assertProblem(client.post("/echo", "x".repeat(2 << 20)).answer(), 413, "body_too_large");
        }
    }

    @Test
    void http_2_is_served_over_tls(@TempDir Path directory) throws Exception {
        var certificate = SelfSigned.in(directory);
        var server = start(CONFIG.with(certificate.files()));
        var url = URI.create("https://127.0.0.1:" + server.port() + "/echo");
        try (var client =
                HttpClient.newBuilder().sslContext(certificate.context()).build()) {
            var body = "x".repeat(1 << 20);
            var echo = client.send(
                    HttpRequest.newBuilder(url)
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(echo.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(echo.statusCode()).isEqualTo(200);
            assertThat(echo.body()).isEqualTo(body);

            var calls = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (int i = 0; i < 10; i++) {
                calls.add(client.sendAsync(
                        HttpRequest.newBuilder(url)
                                .header("X-Nobody", "1")
                                .POST(BodyPublishers.ofString("{}"))
                                .build(),
                        BodyHandlers.ofString()));
            }
            assertThat(calls)
                    .allSatisfy(call -> assertThat(call.join().statusCode()).isEqualTo(401));
            assertThat(client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            server.close(LONG);
        }
    }

    @Test
    void a_slow_client_is_cut_off_over_tls_too(@TempDir Path directory) throws Exception {
        var certificate = SelfSigned.in(directory);
        var config = deadlines(SHORT, SHORT, LONG).with(certificate.files());
        try (var client = RawClient.on(certificate.connect(start(config).port()))) {
            client.send("GET /echo HT");

            assertProblem(client.answer(), 408, "request_timeout");
            assertThat(client.ended()).isTrue();
        }
    }
}
