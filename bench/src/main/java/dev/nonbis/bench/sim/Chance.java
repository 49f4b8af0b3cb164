package dev.nonbis.bench.sim;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Everything that is left to chance, drawn from one seed. */
final class Chance {

    private final SplittableRandom random;

    Chance(long seed) {
        this(new SplittableRandom(seed));
    }

    private Chance(SplittableRandom random) {
        this.random = random;
    }

    /** Chance of its own, so that one part's draws do not move another's. */
    Chance split() {
        return new Chance(random.split());
    }

    SplittableRandom source() {
        return random;
    }

    boolean of(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    double unit() {
        return random.nextDouble();
    }

    <T> T pick(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    /** At least the first, less than the second. */
    long microsBetween(Duration least, Duration most) {
        return random.nextLong(least.toNanos() / 1000, most.toNanos() / 1000);
    }

    /** A wait as between things that happen independently, this long on average and at most six times that. */
    long microsAround(Duration mean) {
        double times = Math.min(6, -Math.log(1 - random.nextDouble()));
        return 1 + (long) (times * (mean.toNanos() / 1000.0));
    }

    <T> void shuffle(List<T> some) {
        for (int i = some.size() - 1; i > 0; i--) {
            Collections.swap(some, i, random.nextInt(i + 1));
        }
    }
}
