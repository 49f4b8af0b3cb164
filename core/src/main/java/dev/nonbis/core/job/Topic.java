package dev.nonbis.core.job;

import java.util.Optional;
import java.util.regex.Pattern;

/** The rule for topics: they are subjects of the bus below {@code job.}. */
public final class Topic {

    private static final Pattern FORM = Pattern.compile("job(\\.[A-Za-z0-9_-]+)+");
    private static final int MAX_LENGTH = 128;

    private Topic() {}

    /** What is wrong with the text as a topic; empty when it is one. */
    public static Optional<String> complaint(String text) {
        return text.length() <= MAX_LENGTH && FORM.matcher(text).matches()
                ? Optional.empty()
                : Optional.of("must be job. followed by words of letters, digits, _ and - joined by dots, at most "
                        + MAX_LENGTH + " characters");
    }
}
