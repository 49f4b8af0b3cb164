package dev.nonbis.core.policy;

import java.time.Duration;
import java.util.Optional;

/** What a policy says of one request. */
public sealed interface Verdict {

    /** The rule that decided; empty when the default did. */
    Optional<String> rule();

    record Allow(Optional<String> rule) implements Verdict {}

    record Deny(Optional<String> rule, String code) implements Verdict {}

    /** A human has to decide. */
    record RequireApproval(Optional<String> rule) implements Verdict {}

    /** Not now. */
    record Throttle(Optional<String> rule, Duration delay) implements Verdict {}
}
