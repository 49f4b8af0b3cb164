package dev.nonbis.core.operation;

import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.reconcile.ReconcileRules;
import dev.nonbis.core.reconcile.ReconcileRules.Action;
import dev.nonbis.core.store.DueEntries;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Moves what has waited long enough: publishes that are owed, jobs that nobody started, workers that went silent, deadlines. */
public final class Reconcile {

    private static final int BATCH = 200;

    private final DispatchPorts ports;
    private final Publishing publishing;
    private final JobMoves moves;
    private final SetAside aside;

    public Reconcile(DispatchPorts ports) {
        this.ports = ports;
        this.publishing = new Publishing(ports);
        this.moves = new JobMoves(ports.ports());
        this.aside = new SetAside(ports.listener()::failed);
    }

    /** Settles one batch; returns how many jobs it looked at, so that the caller goes on while that is not zero. */
    public int runOnce() {
        Instant now = ports.now();
        // The index ends before this text, and what is due exactly now is due.
        String end = DueEntries.WATCHED + Tables.dueEntry(now.plusNanos(1000));
        var due = ports.store()
                .read(tx -> tx.scan(Range.entriesUpTo(Tables.JOBS, Tables.JOBS_BY_WATCH, DueEntries.WATCHED, end)
                        .limit(BATCH + aside.size())));
        var jobs = due.stream()
                .map(Range.Hit::row)
                .filter(job -> !aside.holds(job, now))
                .toList();
        if (jobs.isEmpty()) {
            return 0;
        }
        aside.settle(jobs, now, some -> ports.store().transact(reads(some), tx -> settle(tx, some, now)))
                .forEach(publishing::publish);
        return jobs.size();
    }

    private List<Job> settle(Tx tx, List<Job> seen, Instant now) {
        var owed = new ArrayList<Job>();
        for (var candidate : seen) {
            tx.find(Tables.JOBS, Tables.key(candidate)).ifPresent(job -> {
                var action =
                        ReconcileRules.rule(job, ports.topics().of(job.spec().topic()), now);
                if (action instanceof Action.TakeOver) {
                    var ours = Publishing.intended(job, now);
                    JobRows.update(tx, job, ours);
                    owed.add(ours);
                } else {
                    moves.apply(tx, job, action, now);
                }
            });
        }
        return owed;
    }

    private static List<RowRef<?, ?>> reads(List<Job> jobs) {
        var rows = new ArrayList<RowRef<?, ?>>();
        for (var job : jobs) {
            rows.add(Tables.JOBS.row(Tables.key(job)));
            rows.add(Tables.TENANTS.row(job.tenant()));
            rows.add(Tables.MESSAGES.row(new QueuedMessage.Key(job.tenant(), MessageId.request(job))));
        }
        return rows;
    }
}
