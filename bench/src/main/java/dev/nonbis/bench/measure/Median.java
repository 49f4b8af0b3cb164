package dev.nonbis.bench.measure;

import java.util.List;
import java.util.OptionalDouble;

/** The middle value, or the mean of the two middle ones. */
final class Median {

    private Median() {}

    static OptionalDouble of(List<Double> values) {
        if (values.isEmpty()) {
            return OptionalDouble.empty();
        }
        var sorted = values.stream().sorted().toList();
        return OptionalDouble.of((sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2);
    }
}
