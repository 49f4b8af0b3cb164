package dev.nonbis.bench.torture;

/** A promise that was broken, and the evidence. */
public record Violation(Rule rule, String evidence) {

    /** The promises that a campaign checks. */
    public enum Rule {
        ACKNOWLEDGED_IS_KEPT,
        ONE_ANSWER_PER_KEY,
        NO_STUCK_KEY,
        MISMATCH_IS_REFUSED,
        RUN_LIMIT_HOLDS,
        ONE_AUDIT_EVENT_PER_EFFECT,
        AUDIT_CHAIN_VERIFIES,
        NOTHING_UNEXPLAINED,
        TENANTS_ARE_APART,
        SERVER_STAYS_UP,
        NEVER_A_MISTAKE,
        EVERY_JOB_ENDS,
        ONE_EFFECT_PER_JOB,
        ONE_RESULT_PER_JOB,
        ONE_WORKER_PER_EXECUTION
    }

    @Override
    public String toString() {
        return rule + ": " + evidence;
    }
}
