package dev.nonbis.core.tenant;

import dev.nonbis.core.audit.AuditHead;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.job.JobState;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * One tenant's counters and the end of its log. They change in the transaction of what they count, so they are exact.
 *
 * @param open the events after the last full page
 */
public record TenantState(
        AuditHead audit, AuditPage open, int activeRuns, Optional<RunLimit> runLimit, Map<JobState, Long> jobs) {

    public static final TenantState NEW =
            new TenantState(AuditHead.NONE, AuditPage.EMPTY, 0, Optional.empty(), Map.of());

    public TenantState {
        jobs = Collections.unmodifiableMap(jobs);
    }

    /**
     * How many runs may be active.
     *
     * @param maxConcurrentRuns no limit when absent
     */
    public record RunLimit(Optional<Integer> maxConcurrentRuns) {}

    public TenantState with(AuditHead head, AuditPage lastEvents) {
        return new TenantState(head, lastEvents, activeRuns, runLimit, jobs);
    }

    public TenantState withOpen(AuditPage lastEvents) {
        return with(audit, lastEvents);
    }

    public TenantState withActiveRuns(int runs) {
        if (runs < 0) {
            throw new IllegalStateException("active runs below zero");
        }
        return new TenantState(audit, open, runs, runLimit, jobs);
    }

    public TenantState with(RunLimit limit) {
        return new TenantState(audit, open, activeRuns, Optional.of(limit), jobs);
    }

    /** One job more in a state. */
    public TenantState entered(JobState state) {
        return counted(state, 1);
    }

    /** One job less in a state. */
    public TenantState left(JobState state) {
        return counted(state, -1);
    }

    private TenantState counted(JobState state, long change) {
        var counts = new EnumMap<JobState, Long>(JobState.class);
        counts.putAll(jobs);
        long count = counts.merge(state, change, Long::sum);
        if (count < 0) {
            throw new IllegalStateException("fewer than no jobs in " + state);
        }
        return new TenantState(audit, open, activeRuns, runLimit, counts);
    }
}
