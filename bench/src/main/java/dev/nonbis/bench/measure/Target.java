package dev.nonbis.bench.measure;

import java.util.Locale;
import java.util.OptionalDouble;

/** A named figure with the bound it should keep; a figure that could not be taken here is neither kept nor missed. */
public record Target(String name, Bound bound, OptionalDouble got) {

    /** Which side of the limit is good. */
    public sealed interface Bound {

        /** The figure should be this or more. */
        record AtLeast(double limit) implements Bound {}

        /** The figure should be this or less. */
        record AtMost(double limit) implements Bound {}
    }

    public static Target atLeast(String name, double limit, OptionalDouble got) {
        return new Target(name, new Bound.AtLeast(limit), got);
    }

    public static Target atMost(String name, double limit, OptionalDouble got) {
        return new Target(name, new Bound.AtMost(limit), got);
    }

    /** Whether the bound was kept. */
    public enum Verdict {
        PASS,
        FAIL,
        NOT_MEASURED
    }

    public Verdict verdict() {
        if (got.isEmpty()) {
            return Verdict.NOT_MEASURED;
        }
        boolean kept = switch (bound) {
            case Bound.AtLeast least -> got.getAsDouble() >= least.limit();
            case Bound.AtMost most -> got.getAsDouble() <= most.limit();
        };
        return kept ? Verdict.PASS : Verdict.FAIL;
    }

    public String wanted() {
        return switch (bound) {
            case Bound.AtLeast least -> String.format(Locale.ROOT, "≥ %.2f", least.limit());
            case Bound.AtMost most -> String.format(Locale.ROOT, "≤ %.0f", most.limit());
        };
    }
}
