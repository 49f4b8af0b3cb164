package dev.nonbis.core.run;

/**
 * The most that the expressions of one request may cost together (the limit on CPU time and memory), in units of about a value looked at. Each is bounded by it, and so is their sum:
 * a request with many of them takes no longer than one with one.
 */
public final class Budget {

    /** One unit is about 40 ns of a processor, so this is about 10 ms. Expressions may be evaluated by the thread that writes. */
    private static final long ONE_REQUEST = 250_000;

    private long left = ONE_REQUEST;

    /** Takes from what is left; whether there was enough. Once there was not, there never is again. */
    public boolean spend(long units) {
        left -= units;
        return left >= 0;
    }

    public boolean isSpent() {
        return left < 0;
    }
}
