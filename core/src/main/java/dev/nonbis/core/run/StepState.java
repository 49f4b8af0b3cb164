package dev.nonbis.core.run;

/** Where a step of a run is. */
public enum StepState {
    /** What it needs is not done. */
    BLOCKED,
    /** Its job exists and moves by itself. */
    ACTIVE,
    /** Its job waits for a human. */
    WAITING,
    SUCCEEDED,
    /** Its condition was false; what needs it goes on. */
    SKIPPED,
    FAILED,
    DENIED,
    CANCELLED;

    /** Whether steps that need it may go on. */
    public boolean isPassed() {
        return this == SUCCEEDED || this == SKIPPED;
    }

    public boolean isOpen() {
        return this == BLOCKED || this == ACTIVE || this == WAITING;
    }
}
