package dev.nonbis.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How often and how long a call is tried.
 *
 * @param maxAttempts sends in all, at least one
 * @param maxElapsed no attempt starts later than this after the first one
 * @param firstDelay the wait before the second attempt; it doubles from there
 * @param maxDelay the longest wait that is not asked for by the server
 */
public record RetryPolicy(int maxAttempts, Duration maxElapsed, Duration firstDelay, Duration maxDelay) {

    /** Eight attempts within 30 seconds. */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(8, Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(5));

    /** One attempt. */
    public static final RetryPolicy NONE = new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    public RetryPolicy {
        if (maxAttempts < 1 || maxElapsed.isNegative() || firstDelay.isNegative() || maxDelay.isNegative()) {
            throw new IllegalArgumentException("at least one attempt, and no negative duration");
        }
    }

    /** Half of the doubled delay is fixed and half is chance, so that clients that failed together do not return together. */
    Duration delayAfter(int attempts, DoubleSupplier chance) {
        var doubled = firstDelay.toMillis() * Math.pow(2, attempts - 1);
        var capped = Math.min(doubled, (double) maxDelay.toMillis());
        return Duration.ofMillis((long) (capped / 2 + capped / 2 * chance.getAsDouble()));
    }
}
