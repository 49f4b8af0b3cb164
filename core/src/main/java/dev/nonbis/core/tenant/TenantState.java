package dev.nonbis.core.tenant;

import dev.nonbis.core.audit.AuditHead;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.audit.LastCheckpoint;
import java.time.Instant;
import java.util.Optional;

/**
 * One tenant's counters and the end of its log. They change in the transaction of what they count, so they are exact.
 *
 * @param open the events after the last full page
 */
public record TenantState(
        AuditHead audit,
        AuditPage open,
        LastCheckpoint checkpoint,
        int activeRuns,
        Optional<RunLimit> runLimit,
        JobCounts jobs,
        Webhooks webhooks) {

    public static final TenantState NEW = new TenantState(
            AuditHead.NONE,
            AuditPage.EMPTY,
            LastCheckpoint.NONE,
            0,
            Optional.empty(),
            JobCounts.NONE,
            new Webhooks(0, Optional.empty()));

    /**
     * How many runs may be active.
     *
     * @param maxConcurrentRuns no limit when absent
     */
    public record RunLimit(Optional<Integer> maxConcurrentRuns) {}

    /**
     * The tenant's webhooks.
     *
     * @param newsSince the time of the first event of which idle webhooks have not been made due yet; always empty where there are no webhooks
     */
    public record Webhooks(int count, Optional<Instant> newsSince) {

        Webhooks afterEvent(Instant at) {
            return count == 0 || newsSince.isPresent() ? this : new Webhooks(count, Optional.of(at));
        }
    }

    /** After an event. */
    public TenantState with(AuditHead head, AuditPage lastEvents) {
        return new TenantState(
                head, lastEvents, checkpoint, activeRuns, runLimit, jobs, webhooks.afterEvent(head.at()));
    }

    public TenantState withOpen(AuditPage lastEvents) {
        return new TenantState(audit, lastEvents, checkpoint, activeRuns, runLimit, jobs, webhooks);
    }

    public TenantState with(LastCheckpoint last) {
        return new TenantState(audit, open, last, activeRuns, runLimit, jobs, webhooks);
    }

    public TenantState withActiveRuns(int runs) {
        if (runs < 0) {
            throw new IllegalStateException("active runs below zero");
        }
        return new TenantState(audit, open, checkpoint, runs, runLimit, jobs, webhooks);
    }

    public TenantState with(RunLimit limit) {
        return new TenantState(audit, open, checkpoint, activeRuns, Optional.of(limit), jobs, webhooks);
    }

    public TenantState with(JobCounts counts) {
        return new TenantState(audit, open, checkpoint, activeRuns, runLimit, counts, webhooks);
    }

    /** One webhook more, or one less. */
    public TenantState withWebhooks(int count) {
        var news = count == 0 ? Optional.<Instant>empty() : webhooks.newsSince();
        return new TenantState(audit, open, checkpoint, activeRuns, runLimit, jobs, new Webhooks(count, news));
    }

    /** Every webhook to which something is owed is due. */
    public TenantState withoutNews() {
        return new TenantState(
                audit, open, checkpoint, activeRuns, runLimit, jobs, new Webhooks(webhooks.count(), Optional.empty()));
    }
}
