package dev.nonbis.bench.load;

import java.time.Duration;

/** How long a phase lasts: until the time is over or so many requests were sent, whichever comes first. */
public record Span(Duration atMost, long atMostRequests) {

    public static Span lasting(Duration time) {
        return new Span(time, Long.MAX_VALUE);
    }

    public static Span ofRequests(long requests) {
        return new Span(Duration.ofHours(1), requests);
    }
}
