package dev.nonbis.core.job;

/** Where a job is. */
public enum JobState {
    /** Waits for a human. */
    APPROVAL,
    /** Admitted; waits for the scheduler. */
    PENDING,
    /** Taken by the scheduler, or back after a failed publish. */
    SCHEDULED,
    /** Handed to the bus. */
    DISPATCHED,
    /** A worker has started it. */
    RUNNING,
    /** A worker started it and nobody knows how it ended: a human has to say. */
    UNKNOWN,
    SUCCEEDED,
    FAILED,
    TIMEOUT,
    CANCELLED,
    DENIED;

    public boolean isTerminal() {
        return switch (this) {
            case SUCCEEDED, FAILED, TIMEOUT, CANCELLED, DENIED -> true;
            case APPROVAL, PENDING, SCHEDULED, DISPATCHED, RUNNING, UNKNOWN -> false;
        };
    }
}
