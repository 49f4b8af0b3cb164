package dev.nonbis.core.identity;

import java.util.Optional;

/** The name of a workflow run. */
public record RunId(String value) {

    static final String PREFIX = "run_";

    /** The id if the text can be one; anything else names no run. */
    public static Optional<RunId> of(String text) {
        return Ids.isValid(PREFIX, text) ? Optional.of(new RunId(text)) : Optional.empty();
    }

    @Override
    public String toString() {
        return value;
    }
}
