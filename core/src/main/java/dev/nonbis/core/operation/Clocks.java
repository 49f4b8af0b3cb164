package dev.nonbis.core.operation;

import java.time.Duration;
import java.time.Instant;

/**
 * How far the clocks of servers on one store may be apart before one of them removes what still counts for another. Nothing is decided
 * by this: what has ended counts for nothing at once. So it is generous, at the price of a little space.
 */
final class Clocks {

    private static final Duration APART = Duration.ofMinutes(15);

    private Clocks() {}

    /** An instant that every server has behind it: what ended before then has ended for all of them. */
    static Instant pastForAll(Instant now) {
        return now.minus(APART);
    }
}
