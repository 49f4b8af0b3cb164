package dev.nonbis.bench.measure;

import java.util.List;

/** A scenario's figures at one size of the store. */
public record Stage(String title, long keysBefore, long keysAfter, List<PhaseFigures> phases) {

    public PhaseFigures phase(String name) {
        return phases.stream()
                .filter(p -> p.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no phase " + name + " in stage " + title));
    }
}
