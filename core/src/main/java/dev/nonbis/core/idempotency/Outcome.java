package dev.nonbis.core.idempotency;

import dev.nonbis.core.problem.Problem;
import java.util.List;

/** What one request got. */
public sealed interface Outcome {

    /** It ran, and this is its answer. */
    record Fresh(String subject, RecordedAnswer answer) implements Outcome {}

    /** It had run before, and this is the answer of that time. */
    record Replayed(String subject, RecordedAnswer answer, String originalRequest) implements Outcome {}

    /** The key belongs to another request: these JSON pointers of the body and these path parameters differ. */
    record Mismatched(String subject, List<String> pointers, List<String> pathParams) implements Outcome {}

    /** It was refused before it took effect; the key stays free. */
    record Refused(Problem problem) implements Outcome {}
}
