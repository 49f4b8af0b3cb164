package dev.nonbis.core.operation;

import java.time.Duration;
import java.time.Instant;

/** How far the clocks of servers on one store may be apart. */
final class Clocks {

    /** Two servers, each wrong by up to five seconds, in opposite directions. */
    private static final Duration APART = Duration.ofSeconds(10);

    private Clocks() {}

    /** An instant that every server has behind it: what ended before then has ended for all of them. */
    static Instant pastForAll(Instant now) {
        return now.minus(APART);
    }
}
