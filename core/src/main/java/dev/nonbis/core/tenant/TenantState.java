package dev.nonbis.core.tenant;

import dev.nonbis.core.audit.AuditHead;
import java.util.Optional;

/** One tenant's counters. They change in the transaction of what they count, so they are exact. */
public record TenantState(AuditHead audit, int activeRuns, Optional<RunLimit> runLimit) {

    public static final TenantState NEW = new TenantState(AuditHead.NONE, 0, Optional.empty());

    /**
     * How many runs may be active.
     *
     * @param maxConcurrentRuns no limit when absent
     */
    public record RunLimit(Optional<Integer> maxConcurrentRuns) {}

    public TenantState with(AuditHead head) {
        return new TenantState(head, activeRuns, runLimit);
    }

    public TenantState withActiveRuns(int runs) {
        if (runs < 0) {
            throw new IllegalStateException("active runs below zero");
        }
        return new TenantState(audit, runs, runLimit);
    }

    public TenantState with(RunLimit limit) {
        return new TenantState(audit, activeRuns, Optional.of(limit));
    }
}
