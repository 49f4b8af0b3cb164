package dev.nonbis.server.http.jetty;

import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * How much, and for how long, a client may keep a listener busy.
 *
 * @param headerDeadline from a request's first byte to the end of its headers; with TLS, also from accepting to the first headers
 * @param bodyDeadline from the end of the headers to the end of the body
 * @param idleTimeout how long a connection may be silent between two requests
 * @param minBytesPerSecond the slowest body, and the slowest reading of an answer, after {@link #RATE_GRACE}
 * @param drainLinger how long a draining server keeps a silent connection, so that a request already under way is still answered
 */
public record HttpLimits(
        int maxBodyBytes,
        int maxHeaderBytes,
        int maxHeaderCount,
        ConnectionLimits connections,
        Duration headerDeadline,
        Duration bodyDeadline,
        Duration idleTimeout,
        int minBytesPerSecond,
        Duration drainLinger) {

    /** How long a transfer may take before its rate counts. */
    static final Duration RATE_GRACE = Duration.ofSeconds(10);

    /**
     * How many connections a listener has at once.
     *
     * @param max over all; when it is reached, connections that did not authenticate a request give way to new ones
     * @param maxUnknownPerAddress of one address, as long as they did not authenticate a request
     * @param grace how long one of those may take for its first request before it gives way
     * @param trusted addresses that the second limit does not hold for
     */
    public record ConnectionLimits(int max, int maxUnknownPerAddress, Duration grace, Predicate<InetAddress> trusted) {

        /** Longer than a request takes to be looked at, even when very many come at once. */
        public static final Duration USUAL_GRACE = Duration.ofSeconds(5);
    }

    /** What the management listener keeps to, which is not configured. */
    public static final HttpLimits MANAGEMENT = new HttpLimits(
            64 << 10,
            16 << 10,
            100,
            new ConnectionLimits(64, 32, ConnectionLimits.USUAL_GRACE, address -> false),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            16 << 10,
            Duration.ofMillis(500));

    /** How long a transfer of this many bytes may take. */
    Duration longest(long bytes) {
        return RATE_GRACE.plus(Duration.ofMillis(bytes * 1000 / minBytesPerSecond));
    }
}
