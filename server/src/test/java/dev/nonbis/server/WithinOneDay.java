package dev.nonbis.server;

import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Runs a test of something that is counted by the day: once more, from the start, when midnight fell into it. */
final class WithinOneDay {

    private final InstantSource clock;

    WithinOneDay(InstantSource clock) {
        this.clock = clock;
    }

    /** A test that starts from nothing; it is given the number of its attempt. */
    @FunctionalInterface
    interface Attempt {
        void run(int number) throws Exception;
    }

    void run(Attempt attempt) throws Exception {
        int number = 0;
        LocalDate begun;
        do {
            number++;
            begun = today();
            try {
                attempt.run(number);
            } catch (AssertionError failed) {
                if (begun.equals(today())) {
                    throw failed;
                }
            }
        } while (!begun.equals(today()));
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }
}
