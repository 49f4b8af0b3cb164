package dev.nonbis.bench.sim;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** A server's clock: true time, and an error that jumps. */
final class SkewedClock implements InstantSource {

    private final InstantSource trueTime;
    private long errorMicros;

    SkewedClock(InstantSource trueTime) {
        this.trueTime = trueTime;
    }

    void jumpTo(long micros) {
        errorMicros = micros;
    }

    long errorMicros() {
        return errorMicros;
    }

    @Override
    public Instant instant() {
        return trueTime.instant().plus(errorMicros, ChronoUnit.MICROS);
    }
}
