package dev.nonbis.bench.load;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What one phase did: how many answers in how long, their latencies in nanoseconds, and every kind of wrong answer. */
public record LoadResult(String phase, Duration elapsed, Histogram latencyNanos, Wrong wrong) {

    /** How many answers were not what the phase expects, and the first few of them. */
    public record Wrong(long count, List<String> first) {}

    public long operations() {
        return latencyNanos.getTotalCount();
    }

    public double perSecond() {
        return operations() * 1e9 / elapsed.toNanos();
    }
}
