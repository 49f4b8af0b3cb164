package dev.nonbis.bench.torture;

import java.util.ArrayList;
import java.util.List;

/** Collects violations from many threads; keeps the first ones in full and counts the rest. */
final class Violations {

    private static final int KEPT = 20;

    private final List<Violation> first = new ArrayList<>();
    private long count;

    synchronized void add(Violation violation) {
        count++;
        if (first.size() < KEPT) {
            first.add(violation);
        }
    }

    void addAll(List<Violation> more) {
        more.forEach(this::add);
    }

    synchronized long count() {
        return count;
    }

    synchronized List<Violation> first() {
        return List.copyOf(first);
    }
}
