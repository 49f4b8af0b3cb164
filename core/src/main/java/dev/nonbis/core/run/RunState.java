package dev.nonbis.core.run;

/** Where a run is. */
public enum RunState {
    RUNNING,
    /** Only approvals are left to move it. */
    WAITING,
    SUCCEEDED,
    FAILED,
    DENIED,
    CANCELLED;

    /** Whether it counts against the tenant's limit. */
    public boolean isActive() {
        return this == RUNNING || this == WAITING;
    }
}
