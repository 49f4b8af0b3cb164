package dev.nonbis.bench.measure;

import java.util.Locale;
import java.util.OptionalDouble;

/** A named figure with the bound it should keep; a figure that could not be taken is not met. */
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

    public boolean met() {
        return got.isPresent()
                && switch (bound) {
                    case Bound.AtLeast least -> got.getAsDouble() >= least.limit();
                    case Bound.AtMost most -> got.getAsDouble() <= most.limit();
                };
    }

    public String wanted() {
        return switch (bound) {
            case Bound.AtLeast least -> String.format(Locale.ROOT, "≥ %.2f", least.limit());
            case Bound.AtMost most -> String.format(Locale.ROOT, "≤ %.0f", most.limit());
        };
    }
}
