package dev.nonbis.core.identity;

import dev.nonbis.json.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The name of a job. */
public record JobId(String value) {

    static final String PREFIX = "job_";

    /** The id if the text can be one; anything else names no job. */
    public static Optional<JobId> of(String text) {
        return Ids.isValid(PREFIX, text) ? Optional.of(new JobId(text)) : Optional.empty();
    }

    /**
     * The job of one step of one run. It depends on nothing else, so that advancing a run twice names the same job; it begins with the
     * run's time, so that it sorts beside it.
     */
    public static JobId ofStep(RunId run, String step) {
        byte[] digest = Sha256.of((run.value() + "/" + step).getBytes(StandardCharsets.UTF_8));
        String timePart = run.value().substring(RunId.PREFIX.length(), RunId.PREFIX.length() + 10);
        String derived = Ids.format(PREFIX, 0, Arrays.copyOf(digest, 10));
        return new JobId(PREFIX + timePart + derived.substring(PREFIX.length() + 10));
    }

    /** A name for a message that names no job; it follows from the message's place on the bus alone. */
    public static JobId ofMessage(String place) {
        byte[] digest = Sha256.of(place.getBytes(StandardCharsets.UTF_8));
        return new JobId(Ids.format(PREFIX, 0, Arrays.copyOf(digest, 10)));
    }

    @Override
    public String toString() {
        return value;
    }
}
