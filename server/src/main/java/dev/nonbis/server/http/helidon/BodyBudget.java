package dev.nonbis.server.http.helidon;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How much of request bodies may be in memory at once. A body takes many times its size while it is read, so without a bound a few
 * hundred clients with large ones could use up the heap. Small bodies, which is nearly all, pass without being counted.
 */
final class BodyBudget {

    private static final int SMALL_BYTES = 4 << 10;
    // As many of the largest bodies as the default heap has room for, with all that is made of them.
    private static final int LARGEST_AT_ONCE = 6;
    private static final int BYTES_PER_KIB = 1024;

    private final int largestKib;
    private final Duration longestWait;
    private final Semaphore kib;

    BodyBudget(int maxBodyBytes, Duration longestWait) {
        this.largestKib = Math.ceilDiv(maxBodyBytes, BYTES_PER_KIB);
        this.longestWait = longestWait;
        this.kib = new Semaphore(largestKib * LARGEST_AT_ONCE, true);
    }

    /** What a body has to take; one of unknown length takes what the largest would. */
    int kibOf(OptionalLong length, boolean hasBody) {
        if (!hasBody || (length.isPresent() && length.getAsLong() <= SMALL_BYTES)) {
            return 0;
        }
        return length.isPresent()
                ? (int) Math.min(largestKib, Math.ceilDiv(length.getAsLong(), (long) BYTES_PER_KIB))
                : largestKib;
    }

    /** Waits for room; whether there was any in time. */
    boolean take(int amount) {
        if (amount == 0) {
            return true;
        }
        try {
            return kib.tryAcquire(amount, longestWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void giveBack(int amount) {
        kib.release(amount);
    }
}
