package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.store.DueEntries;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds what does not get on by itself, or should have by now. Looks at the oldest of each kind, so its cost is bounded. */
public final class FindStuck {

    private static final int OF_A_KIND = 50;
    private static final int WATCHED = 500;
    private static final Duration NOT_STARTED_AFTER = Duration.ofMinutes(1);
    private static final Duration OVERDUE_AFTER = Duration.ofSeconds(10);
    private static final Duration EXPIRES_SOON = Duration.ofDays(1);

    private final Store store;

    public FindStuck(Store store) {
        this.store = store;
    }

    /** Why something is here. */
    public enum Kind {
        /** A worker started it and never answered; a human has to say how it ended. */
        UNKNOWN_OUTCOME,
        /** Out of attempts. */
        DEAD_LETTER,
        /** Nobody will be asked any more after its expiry. */
        APPROVAL_EXPIRES,
        /** No worker has taken it. */
        NOT_STARTED,
        /** A timeout has passed and no loop has acted on it. */
        OVERDUE
    }

    /**
     * One thing that is stuck.
     *
     * @param what the topic of a job; empty for others
     * @param since when it should have gone on
     */
    public record Stuck(Kind kind, String id, String what, Instant since) {}

    /** Everything found, what has waited longest first. */
    public List<Stuck> find(TenantId tenant, Instant now) {
        var found = store.read(tx -> {
            var all = new ArrayList<Stuck>();
            oldest(tx, tenant, JobState.UNKNOWN)
                    .forEach(job -> all.add(job(Kind.UNKNOWN_OUTCOME, job, lastMoved(job))));
            letters(tx, tenant)
                    .forEach(letter ->
                            all.add(new Stuck(Kind.DEAD_LETTER, letter.job().value(), letter.topic(), letter.at())));
            approvals(tx, tenant, now)
                    .forEach(approval -> all.add(
                            new Stuck(Kind.APPROVAL_EXPIRES, approval.subject().id(), "", approval.requestedAt())));
            for (var state : List.of(JobState.PENDING, JobState.SCHEDULED, JobState.DISPATCHED)) {
                oldest(tx, tenant, state).stream()
                        .filter(job -> lastMoved(job).plus(NOT_STARTED_AFTER).isBefore(now))
                        .forEach(job -> all.add(job(Kind.NOT_STARTED, job, lastMoved(job))));
            }
            overdue(tx, tenant, now).forEach(job -> all.add(job(Kind.OVERDUE, job, due(job))));
            return all;
        });
        found.sort(Comparator.comparing(Stuck::since));
        return found;
    }

    private static List<Job> oldest(ReadTx tx, TenantId tenant, JobState state) {
        return rows(tx.scan(Range.entriesEqualTo(Tables.JOBS, Tables.JOBS_BY_STATE, Tables.stateEntry(tenant, state))
                .limit(OF_A_KIND)));
    }

    private static List<DeadLetter> letters(ReadTx tx, TenantId tenant) {
        return rows(tx.scan(Range.keysStartingWith(Tables.DEAD_LETTERS, tenant + "/")
                        .limit(OF_A_KIND)))
                .stream()
                .filter(letter -> letter.retry().isEmpty() && letter.state() != JobState.UNKNOWN)
                .toList();
    }

    private static List<Approval> approvals(ReadTx tx, TenantId tenant, Instant now) {
        return rows(tx.scan(Range.entriesEqualTo(
                                Tables.APPROVALS,
                                Tables.APPROVALS_BY_STATUS,
                                Tables.approvalEntry(tenant, Approval.Status.WAITING))
                        .limit(OF_A_KIND)))
                .stream()
                .filter(approval -> approval.expiresAt().minus(EXPIRES_SOON).isBefore(now))
                .toList();
    }

    /** What is watched stands in one order for all tenants, and hardly ever is anything in it late. */
    private static List<Job> overdue(ReadTx tx, TenantId tenant, Instant now) {
        String late = DueEntries.WATCHED + Tables.dueEntry(now.minus(OVERDUE_AFTER));
        var range = Range.entriesUpTo(Tables.JOBS, Tables.JOBS_BY_WATCH, DueEntries.WATCHED, late)
                .limit(WATCHED);
        return rows(tx.scan(range)).stream()
                .filter(job -> job.tenant().equals(tenant))
                .toList();
    }

    private static Stuck job(Kind kind, Job job, Instant since) {
        return new Stuck(kind, job.id().value(), job.spec().topic(), since);
    }

    private static Instant lastMoved(Job job) {
        var entries = job.timeline().entries();
        return entries.isEmpty() ? job.origin().createdAt() : entries.getLast().at();
    }

    private static Instant due(Job job) {
        return Optional.of(job)
                .flatMap(Job::due)
                .or(job::deadline)
                .orElse(job.origin().createdAt());
    }

    private static <V> List<V> rows(List<Range.Hit<V>> hits) {
        return hits.stream().map(Range.Hit::row).toList();
    }
}
