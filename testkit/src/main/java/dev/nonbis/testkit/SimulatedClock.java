package dev.nonbis.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is moved. */
public final class SimulatedClock implements InstantSource {

    private final AtomicReference<Instant> now;

    public SimulatedClock(Instant start) {
        this.now = new AtomicReference<>(start);
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    public void advance(Duration by) {
        now.updateAndGet(instant -> instant.plus(by));
    }
}
