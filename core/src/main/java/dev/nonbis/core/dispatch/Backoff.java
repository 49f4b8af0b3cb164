package dev.nonbis.core.dispatch;

import dev.nonbis.core.identity.JobId;
import java.time.Duration;

/** How long to wait before the next try: min(1 s · 2ⁿ + jitter, 30 s). */
public final class Backoff {

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int MAX_DOUBLINGS = 5;
    private static final int MAX_JITTER_MS = 1000;

    private Backoff() {}

    /**
     * The wait after this many failures before the one that just happened. The jitter follows from the job's name, which differs from
     * its neighbours' as chance would.
     */
    public static Duration after(int failuresBefore, JobId job) {
        int doublings = Math.min(failuresBefore, MAX_DOUBLINGS);
        long jitterMs = Math.floorMod(job.value().hashCode() * 31 + failuresBefore, MAX_JITTER_MS);
        var wait = Duration.ofSeconds(1L << doublings).plusMillis(jitterMs);
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
