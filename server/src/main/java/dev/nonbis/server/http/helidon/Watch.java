package dev.nonbis.server.http.helidon;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Router;
import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Cuts off clients that keep the server waiting. A timer looks at all connections a few times a second, which costs a request
 * nothing; a timeout on each read would let a client that sends a byte now and then stay for ever.
 */
final class Watch implements ServerConnectionSelector, AutoCloseable {

    private static final Duration LONGEST_TICK = Duration.ofMillis(250);

    private final ServerConnectionSelector http;
    private final HttpLimits limits;
    private final RequestIds ids;
    private final Set<WatchedConnection> connections = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("nonbis-http-watch").factory());

    Watch(Http1Config config, HttpLimits limits, RequestIds ids) {
        this.http = Http1ConnectionSelector.builder().config(config).build();
        this.limits = limits;
        this.ids = ids;
        long tick = Math.min(LONGEST_TICK.toMillis(), shortest(limits).toMillis() / 4 + 1);
        var _ = timer.scheduleWithFixedDelay(this::cutOverdue, tick, tick, TimeUnit.MILLISECONDS);
    }

    private static Duration shortest(HttpLimits limits) {
        var shorter = limits.headerDeadline().compareTo(limits.bodyDeadline()) < 0
                ? limits.headerDeadline()
                : limits.bodyDeadline();
        return shorter.compareTo(limits.idleTimeout()) < 0 ? shorter : limits.idleTimeout();
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext ctx) {
        var connection = new WatchedConnection(ctx, http::connection, connections::remove);
        connections.add(connection);
        return connection;
    }

    private void cutOverdue() {
        long now = System.nanoTime();
        for (var connection : connections) {
            connection.cut(wait -> wait.overdue(now, limits)).ifPresent(what -> end(connection, what));
        }
    }

    /** Ends the connections that wait for a next request. */
    void cutIdle() {
        for (var connection : connections) {
            connection.cut(wait -> wait.what() == Wait.For.REQUEST).ifPresent(what -> end(connection, what));
        }
    }

    void cutAll() {
        connections.forEach(connection -> connection.close(true));
    }

    /** On a thread of its own: a client that is slow to send may be slow to read. */
    private void end(WatchedConnection connection, Wait.For late) {
        Thread.ofVirtual().start(() -> {
            if (late == Wait.For.HEADERS || late == Wait.For.BODY) {
                connection.writeLast(timeout());
            }
            connection.close(true);
        });
    }

    private byte[] timeout() {
        var id = ids.next();
        var problem = Problem.of(ProblemCode.REQUEST_TIMEOUT, "The request did not arrive in time.");
        var response = Response.problem(problem, id);
        var head = """
                HTTP/1.1 408 Request Timeout\r
                Connection: close\r
                Content-Type: %s\r
                Content-Length: %d\r
                %s: %s\r
                \r
                """.formatted(response.contentType(), response.body().length, Router.REQUEST_ID, id);
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        bytes.writeBytes(response.body());
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
