package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.store.DueEntries;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How long the oldest things of all tenants have waited. Looks at the beginning of each order, so its cost is bounded. */
public final class MeasureBacklog {

    private static final int MOST_LETTERS = 1000;

    private final Store store;

    public MeasureBacklog(Store store) {
        this.store = store;
    }

    /**
     * What waits.
     *
     * @param oldestApproval how long the approval that expires next has waited for a human
     * @param overdue how long the oldest intent or timeout has been due without anybody acting on it
     * @param deadLetters the letters that nobody has dealt with, at most a thousand
     */
    public record Backlog(Duration oldestApproval, Duration overdue, long deadLetters) {}

    public Backlog measure(Instant now) {
        return store.read(tx -> new Backlog(oldestApproval(tx, now), overdue(tx, now), deadLetters(tx)));
    }

    private static Duration oldestApproval(ReadTx tx, Instant now) {
        return tx
                .scan(Range.entriesStartingWith(Tables.APPROVALS, Tables.APPROVALS_BY_EXPIRY, "")
                        .limit(1))
                .stream()
                .findFirst()
                .map(Range.Hit::row)
                .map(Approval::requestedAt)
                .map(at -> since(at, now))
                .orElse(Duration.ZERO);
    }

    private static Duration overdue(ReadTx tx, Instant now) {
        String late = DueEntries.WATCHED + Tables.dueEntry(now);
        return tx
                .scan(Range.entriesUpTo(Tables.JOBS, Tables.JOBS_BY_WATCH, DueEntries.WATCHED, late)
                        .limit(1))
                .stream()
                .findFirst()
                .map(Range.Hit::row)
                .flatMap(MeasureBacklog::due)
                .map(at -> since(at, now))
                .orElse(Duration.ZERO);
    }

    /** The time under which it stands in the order. */
    private static Optional<Instant> due(Job job) {
        return switch (job.state()) {
            case PENDING, SCHEDULED -> job.deadline();
            case DISPATCHED ->
                job.due()
                        .map(due ->
                                job.deadline().filter(at -> at.isBefore(due)).orElse(due));
            case RUNNING, APPROVAL, UNKNOWN, SUCCEEDED, FAILED, TIMEOUT, CANCELLED, DENIED -> job.due();
        };
    }

    private static long deadLetters(ReadTx tx) {
        return tx.scan(Range.keysStartingWith(Tables.DEAD_LETTERS, "").limit(MOST_LETTERS)).stream()
                .filter(letter -> letter.row().retry().isEmpty())
                .count();
    }

    private static Duration since(Instant at, Instant now) {
        return at.isBefore(now) ? Duration.between(at, now) : Duration.ZERO;
    }
}
