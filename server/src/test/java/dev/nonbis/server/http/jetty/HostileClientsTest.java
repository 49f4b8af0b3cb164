package dev.nonbis.server.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.Authenticator;
import dev.nonbis.server.http.Failures;
import dev.nonbis.server.http.MemoryBudget;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Observer;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.Router;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that take more than they need: of sockets, of bodies that they do not send, of answers that they do not read. */
final class HostileClientsTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final byte[] LARGE = new byte[16 << 20];

    private Duration grace = Duration.ZERO;
    private final AtomicInteger streams = new AtomicInteger();
    private final CountDownLatch release = new CountDownLatch(1);
    private final MemoryBudget budget = new MemoryBudget(64 << 20);
    private final List<RawClient> clients = new ArrayList<>();
    private Optional<HttpServer> server = Optional.empty();

    @AfterEach
    void stop() throws IOException {
        release.countDown();
        for (var client : clients) {
            client.close();
        }
        server.ifPresent(running -> running.close(Duration.ZERO));
    }

    private HttpLimits limits(int max, int unknown, boolean trusted, int rate, Duration head) {
        var connections = new HttpLimits.ConnectionLimits(max, unknown, grace, address -> trusted);
        return new HttpLimits(1 << 20, 16 << 10, 100, connections, head, LONG, LONG, rate, Duration.ofMillis(100));
    }

    private HttpLimits limits(int max, int unknown) {
        return limits(max, unknown, false, 1 << 20, LONG);
    }

    private int start(HttpLimits limits) {
        return start(HttpConfig.loopback(0).with(limits));
    }

    private int start(HttpConfig config) {
        var routes = List.of(
                route(
                        Method.POST,
                        "/echo",
                        Access.anyKnown(),
                        call -> answer(call.request().body())),
                route(Method.GET, "/held", Access.anyKnown(), call -> held()),
                route(Method.GET, "/open", Access.open(), call -> answer(new byte[0])),
                route(Method.GET, "/large", Access.anyKnown(), call -> answer(LARGE)),
                route(Method.GET, "/stream", Access.anyKnown(), call -> stream()));
        var parts = new Router.Parts(HostileClientsTest::caller, Failures.NONE, Observer.NONE);
        var started =
                HttpServer.start(config, new Router(routes, parts), new RequestIds(InstantSource.system()), budget);
        server = Optional.of(started);
        return started.port();
    }

    private static Route route(Method method, String pattern, Access access, dev.nonbis.server.http.Handler handler) {
        return new Route(method, pattern, access, pattern, handler);
    }

    /** The credential is the name of the tenant. */
    private static Authenticator.Result caller(Request request) {
        return request.header("authorization")
                .<Authenticator.Result>map(tenant ->
                        new Authenticator.Known(new Actor(new TenantId(tenant), "alice", Set.of(Role.SUBMITTER))))
                .orElseGet(Authenticator.Missing::new);
    }

    private static Response answer(byte[] body) {
        return new Response(200, "application/json", Map.of(), body);
    }

    private Response held() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return answer(new byte[0]);
    }

    private Response stream() {
        return Response.streamed("text/event-stream", out -> {
            streams.incrementAndGet();
            try {
                out.write('x');
                while (!release.await(10, java.util.concurrent.TimeUnit.MILLISECONDS)) {
                    out.flush();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                streams.decrementAndGet();
            }
        });
    }

    private RawClient connect(int port) throws IOException {
        var client = RawClient.connect(port);
        clients.add(client);
        return client;
    }

    private static RawClient post(RawClient client, String tenant, String body) throws IOException {
        return client.send("POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: " + tenant + "\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
    }

    private static RawClient get(RawClient client, String path, String tenant) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: " + tenant + "\r\n\r\n");
    }

    @Test
    void a_caller_without_a_credential_is_answered_before_it_sends_its_body() throws IOException {
        var client = connect(start(limits(100, 50)));
        client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx");

        var answer = client.answer();

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("connection")).isEqualTo("close");
        await().until(() -> budget.used() == 0);
    }

    @Test
    void bodies_that_were_announced_and_not_sent_hold_nobody_up() throws IOException {
        int port = start(limits(100, 50));
        for (int i = 0; i < 40; i++) {
            connect(port).send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx");
            post(connect(port), "mallory", "").send("");
            connect(port)
                    .send(
                            "POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: mallory\r\nContent-Length: 1000000\r\n\r\nx");
        }

        assertThat(post(connect(port), "acme", "x".repeat(1 << 20)).answer().status())
                .isEqualTo(200);
    }

    @Test
    void only_a_caller_with_a_credential_is_told_to_continue() throws IOException {
        int port = start(limits(100, 50));
        var head = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n";

        assertThat(connect(port).send(head + "\r\n").answer().status()).isEqualTo(401);
        assertThat(connect(port)
                        .send(head + "Authorization: acme\r\n\r\n")
                        .head()
                        .status())
                .isEqualTo(100);
    }

    @Test
    void sockets_without_a_credential_give_way_to_their_neighbours() throws IOException {
        int port = start(limits(100, 4));
        var known = connect(port);
        assertThat(post(known, "acme", "{}").answer().status()).isEqualTo(200);
        var silent = new ArrayList<RawClient>();
        for (int i = 0; i < 20; i++) {
            silent.add(connect(port));
        }

        // Without a grace a silent socket that is accepted later may push out one whose request is on its way.
        await().ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> post(connect(port), "acme", "{}").answer().status() == 200);
        assertThat(post(known, "acme", "{}").answer().status()).isEqualTo(200);
        // They are accepted one after another and in any order, so any of them may be among those that are left.
        await().untilAsserted(() -> assertThat(silent.stream().filter(HostileClientsTest::isAnswered))
                .hasSizeBetween(1, 4));
    }

    private static boolean isAnswered(RawClient client) {
        try {
            return client.get("/open").answer().status() == 200;
        } catch (IOException closed) {
            return false;
        }
    }

    @Test
    void many_callers_that_come_at_once_from_one_address_are_all_answered() throws IOException {
        grace = LONG;
        int port = start(limits(100, 4));
        var callers = new ArrayList<RawClient>();
        for (int i = 0; i < 40; i++) {
            callers.add(connect(port));
        }

        for (var caller : callers) {
            assertThat(post(caller, "acme", "{}").answer().status()).isEqualTo(200);
        }
    }

    @Test
    void a_trusted_proxy_has_as_many_connections_as_there_are() throws IOException {
        int port = start(limits(100, 4, true, 1 << 20, LONG));
        var silent = new ArrayList<RawClient>();
        for (int i = 0; i < 20; i++) {
            silent.add(connect(port));
        }

        assertThat(silent.getFirst().get("/open").answer().status()).isEqualTo(200);
    }

    @Test
    void a_full_listener_lets_a_caller_in_and_a_silent_socket_go() throws IOException {
        int port = start(limits(10, 100));
        for (int i = 0; i < 30; i++) {
            connect(port);
        }

        assertThat(post(connect(port), "acme", "{}").answer().status()).isEqualTo(200);
    }

    @Test
    void a_tenant_cannot_keep_all_connections_busy() throws IOException {
        int port = start(limits(10, 100));
        for (int i = 0; i < 5; i++) {
            get(connect(port), "/held", "mallory");
        }
        await().untilAsserted(() -> {
            var refused = post(connect(port), "mallory", "{}").answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("retry-after")).isNotEmpty();
        });

        for (int i = 0; i < 20; i++) {
            assertThat(post(connect(port), "acme", "{}").answer().status()).isEqualTo(200);
        }
    }

    @Test
    void a_connection_for_which_there_is_no_place_is_told_so() throws IOException {
        int port = start(limits(2, 100));
        get(connect(port), "/held", "acme");
        get(connect(port), "/held", "other");
        await().untilAsserted(() -> assertThat(connect(port).answer().status()).isEqualTo(503));
    }

    @Test
    void a_client_that_does_not_read_its_answer_loses_its_connection_and_its_memory() throws IOException {
        int port = start(limits(100, 50, false, 64 << 20, LONG));
        get(connect(port), "/large", "acme");

        await().atMost(Duration.ofSeconds(5)).until(() -> budget.used() >= LARGE.length);
        await().atMost(Duration.ofSeconds(30)).until(() -> budget.used() == 0);
    }

    @Test
    void a_stream_ends_when_its_listener_has_left() throws IOException {
        int port = start(limits(100, 50));
        var listener = connect(port);
        get(listener, "/stream", "acme");
        await().until(() -> streams.get() == 1);

        listener.close();

        await().atMost(Duration.ofSeconds(5)).until(() -> streams.get() == 0);
    }

    @Test
    void a_request_that_was_sent_behind_a_stream_is_not_lost() throws IOException {
        int port = start(limits(100, 50));
        var listener = connect(port);
        get(listener, "/stream", "acme");
        await().until(() -> streams.get() == 1);
        post(listener, "acme", "[1]");

        release.countDown();

        assertThat(listener.head().header("transfer-encoding")).isEqualTo("chunked");
        listener.chunks();
        assertThat(listener.answer().body()).isEqualTo("[1]");
    }

    @Test
    void a_handshake_that_does_not_end_is_cut_off(@TempDir Path directory) throws Exception {
        var certificate = SelfSigned.in(directory);
        var config = HttpConfig.loopback(0)
                .with(limits(100, 50, false, 1 << 20, Duration.ofMillis(500)))
                .with(certificate.files());
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), start(config));
                var client = RawClient.on(socket)) {
            client.send("\u0016\u0003\u0001");

            assertThat(client.ended()).isTrue();
        }
    }
}
