package dev.nonbis.server;

import dev.nonbis.server.config.Config;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.jetty.HttpConfig;
import dev.nonbis.server.http.jetty.HttpLimits;
import dev.nonbis.server.metrics.Metrics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** What the two listeners are, and the routes that only the one for management or a benchmark has. */
final class Listeners {

    private static final Logger LOG = System.getLogger(Listeners.class.getName());

    private Listeners() {}

    static HttpConfig apiListener(Config config) {
        var http = config.http();
        var limits = http.limits();
        var fixed = HttpLimits.MANAGEMENT;
        return new HttpConfig(
                http.host(),
                http.port(),
                http.tls().map(tls -> new HttpConfig.TlsFiles(tls.cert(), tls.key())),
                new HttpLimits(
                        limits.maxBodyBytes(),
                        limits.maxHeaderBytes(),
                        fixed.maxHeaderCount(),
                        new HttpLimits.ConnectionLimits(
                                places(limits.maxConnections()),
                                limits.maxUnauthenticatedPerAddress(),
                                HttpLimits.ConnectionLimits.USUAL_GRACE,
                                address -> http.trustedProxies().stream().anyMatch(proxy -> proxy.contains(address))),
                        limits.headerTimeout(),
                        limits.bodyTimeout(),
                        limits.idleTimeout(),
                        limits.minBytesPerSecond(),
                        fixed.drainLinger()));
    }

    /** So many connections that file descriptors are left for the store. */
    private static int places(int configured) {
        int places = Descriptors.connections(configured);
        if (places < configured) {
            LOG.log(
                    Level.WARNING,
                    "the limit of file descriptors has room for {0} connections, not for the {1} of http.limits.max_connections",
                    Integer.toString(places),
                    Integer.toString(configured));
        }
        return places;
    }

    static HttpConfig managementListener(Config config) {
        return new HttpConfig(
                config.management().host(), config.management().port(), Optional.empty(), HttpLimits.MANAGEMENT);
    }

    static Route metrics(Metrics metrics) {
        return new Route(
                Method.GET,
                "/metrics",
                Access.open(),
                "getMetrics",
                call -> new Response(
                        200,
                        "text/plain; version=0.0.4; charset=utf-8",
                        Map.of(),
                        metrics.scrape().getBytes(StandardCharsets.UTF_8)));
    }

    /** What the rates of the others are compared with: authenticated, answered, nothing done. */
    static Route noop() {
        byte[] answer =
                "{\"job_id\":\"job_00000000000000000000000000\",\"state\":\"PENDING\",\"trace_id\":\"%s\",\"request_hash\":\"%s\",\"created_at\":\"2026-01-01T00:00:00.000000Z\"}"
                        .formatted("0".repeat(32), "0".repeat(64))
                        .getBytes(StandardCharsets.US_ASCII);
        return new Route(
                Method.POST,
                "/api/v1/noop",
                Access.anyKnown(),
                "noop",
                call -> new Response(200, Response.JSON, Map.of(), answer));
    }
}
