package dev.nonbis.server.http;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.server.http.jetty.HttpConfig;
import dev.nonbis.server.http.jetty.HttpLimits;
import dev.nonbis.server.http.jetty.HttpServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A server on a socket that writes down each request that reaches a handler. */
final class RawServer implements AutoCloseable {

    private static final int SHORT = 64;

    /** Far from what the cases need, but for the sizes of bodies and headers. */
    private static final HttpLimits LIMITS = new HttpLimits(
            1 << 20,
            16 << 10,
            100,
            new HttpLimits.ConnectionLimits(256, 256, Duration.ofSeconds(10), address -> true),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            1024,
            Duration.ofMillis(500));

    /** Every caller is known, for a body of 1 MiB is not for strangers. */
    private static final Access CALLERS = Access.anyOf(Role.ADMIN);

    private static final Actor CALLER = new Actor(new TenantId("acme"), "alice", Set.of(Role.ADMIN));

    /** One request as the handler saw it, and the mark that a proxy gave it. */
    record Handled(List<String> marks, String seen) {}

    private final List<Handled> handled = new ArrayList<>();
    private final Set<String> past = new HashSet<>();
    private final HttpServer server;

    RawServer() {
        var routes = new ArrayList<Route>();
        for (var path : List.of("/", "/echo", "/next", "/probe")) {
            for (var method : Method.values()) {
                routes.add(new Route(method, path, CALLERS, method + path, call -> answer(call.request())));
            }
        }
        var parts = new Router.Parts(request -> new Authenticator.Known(CALLER), Failures.NONE, Observer.NONE);
        this.server = HttpServer.start(
                HttpConfig.loopback(0).with(LIMITS), new Router(routes, parts), new RequestIds(InstantSource.system()));
    }

    int port() {
        return server.port();
    }

    /** What was handled since {@link #forget}. */
    synchronized List<Handled> handled() {
        return List.copyOf(handled);
    }

    /** Marks what was handled so far as past, and returns all marks that are. */
    synchronized Set<String> forget() {
        handled.forEach(one -> past.addAll(one.marks()));
        handled.clear();
        return Set.copyOf(past);
    }

    private Response answer(Request request) {
        var seen = request.method() + " " + target(request) + " " + describe(request.body());
        synchronized (this) {
            handled.add(new Handled(request.headerValues(Proxy.MARK), seen));
        }
        return new Response(200, "text/plain", Map.of(RawExchange.SEEN, seen), new byte[] {'!'});
    }

    private static String target(Request request) {
        var query = request.query().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getKey() + "=" + String.join(",", entry.getValue()))
                .collect(Collectors.joining("&", "?", ""));
        return query.length() > 1 && query.length() < SHORT ? request.path() + query : request.path();
    }

    private static String describe(byte[] body) {
        if (body.length == 0 || body.length > SHORT) {
            return Integer.toString(body.length);
        }
        var text = new String(body, StandardCharsets.ISO_8859_1);
        return body.length + " " + text.replace("\r", "\\r").replace("\n", "\\n");
    }

    @Override
    public void close() {
        server.close(Duration.ZERO);
    }
}
