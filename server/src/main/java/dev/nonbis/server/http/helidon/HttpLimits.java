package dev.nonbis.server.http.helidon;

import java.time.Duration;

/**
 * How much, and for how long, a client may keep a connection busy.
 *
 * @param headerDeadline from a request's first byte to the end of its headers
 * @param bodyDeadline from the end of the headers to the end of the body
 * @param idleTimeout how long a connection may be silent between two requests
 * @param drainLinger how long a draining server keeps a silent connection, so that a request already under way is still answered
 */
public record HttpLimits(
        int maxBodyBytes,
        int maxHeaderBytes,
        int maxHeaderCount,
        int maxConnections,
        Duration headerDeadline,
        Duration bodyDeadline,
        Duration idleTimeout,
        Duration drainLinger) {

    public static final HttpLimits DEFAULTS = new HttpLimits(
            1 << 20,
            16 << 10,
            100,
            8192,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofMillis(500));

    public HttpLimits withDeadlines(Duration header, Duration body, Duration idle) {
        return new HttpLimits(
                maxBodyBytes, maxHeaderBytes, maxHeaderCount, maxConnections, header, body, idle, drainLinger);
    }

    public HttpLimits withDrainLinger(Duration linger) {
        return new HttpLimits(
                maxBodyBytes,
                maxHeaderBytes,
                maxHeaderCount,
                maxConnections,
                headerDeadline,
                bodyDeadline,
                idleTimeout,
                linger);
    }
}
