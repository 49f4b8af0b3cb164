package dev.nonbis.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Time and chance, apart so that a test or a simulation can stand in for both. */
public interface Pace {

    Pace REAL = new Pace() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void pause(Duration wait) throws InterruptedException {
            Thread.sleep(wait.toMillis(), wait.toNanosPart() % 1_000_000);
        }

        @Override
        public double chance() {
            return ThreadLocalRandom.current().nextDouble();
        }
    };

    long nanoTime();

    void pause(Duration wait) throws InterruptedException;

    double chance();
}
