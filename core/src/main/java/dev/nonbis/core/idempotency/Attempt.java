package dev.nonbis.core.idempotency;

import dev.nonbis.core.problem.Problem;

/** How a pipeline ended: with an effect that is recorded and replayed, or with nothing written at all. */
public sealed interface Attempt {

    /** It took effect. A denial by policy is an effect too. */
    record Settled(String subject, RecordedAnswer answer) implements Attempt {}

    /** It did not take effect and left nothing behind; the key stays free. */
    record Transient(Problem problem) implements Attempt {}
}
