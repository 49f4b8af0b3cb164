package dev.nonbis.server.http.helidon;

import java.time.Duration;

/** One stretch of waiting for a client's bytes. Compared by identity, so that a later wait is never taken for this one. */
final class Wait {

    /** What the server waits for. */
    enum For {
        /** The first byte of a request. */
        REQUEST,
        HEADERS,
        BODY,
        /** The client to notice that it was answered before its body was read. */
        CLOSE
    }

    private static final Duration CLOSE_LINGER = Duration.ofSeconds(2);

    private final For what;
    private final long sinceNanos;

    Wait(For what) {
        this.what = what;
        this.sinceNanos = System.nanoTime();
    }

    For what() {
        return what;
    }

    boolean overdue(long nowNanos, HttpLimits limits) {
        var allowed = switch (what) {
            case REQUEST -> limits.idleTimeout();
            case HEADERS -> limits.headerDeadline();
            case BODY -> limits.bodyDeadline();
            case CLOSE -> CLOSE_LINGER;
        };
        return nowNanos - sinceNanos > allowed.toNanos();
    }
}
