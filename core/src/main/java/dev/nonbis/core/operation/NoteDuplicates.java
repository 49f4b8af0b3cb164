package dev.nonbis.core.operation;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers duplicates that were stopped, and tells them to the timelines in the background: a duplicate must stay cheaper than what
 * it repeats. What a kill or a storm loses here are counts, never a decision.
 */
public final class NoteDuplicates {

    private static final int MAX_WAITING = 20_000;
    private static final int BATCH = 200;

    private final Ports ports;
    private final Map<Subject, Counts> waiting = new LinkedHashMap<>();
    private long dropped;

    public NoteDuplicates(Ports ports) {
        this.ports = ports;
    }

    /** The job or run that a duplicate would have made again. */
    public record Subject(TenantId tenant, String id) {}

    /** How many of each kind, stopped by the key. */
    public record Counts(long replays, long mismatches, Instant last) {

        Counts plus(Counts other) {
            return new Counts(replays + other.replays, mismatches + other.mismatches, other.last);
        }
    }

    public void replayed(TenantId tenant, String subject) {
        add(new Subject(tenant, subject), new Counts(1, 0, ports.clock().instant()));
    }

    public void mismatched(TenantId tenant, String subject) {
        add(new Subject(tenant, subject), new Counts(0, 1, ports.clock().instant()));
    }

    /** What is not in the store yet. */
    public synchronized Duplicates waiting(TenantId tenant, String subject) {
        var counts = waiting.get(new Subject(tenant, subject));
        return counts == null ? Duplicates.NONE : new Duplicates(counts.replays(), counts.mismatches());
    }

    /** How many were not remembered because too many others waited. */
    public synchronized long dropped() {
        return dropped;
    }

    /** Writes one batch; returns how many subjects it wrote. */
    public int runOnce() {
        var batch = take();
        if (batch.isEmpty()) {
            return 0;
        }
        var rows = new ArrayList<dev.nonbis.core.store.RowRef<?, ?>>();
        batch.keySet().forEach(subject -> {
            JobId.of(subject.id()).ifPresent(id -> rows.add(Tables.JOBS.row(new Tables.JobKey(subject.tenant(), id))));
            RunId.of(subject.id()).ifPresent(id -> rows.add(Tables.RUNS.row(Tables.runKey(subject.tenant(), id))));
        });
        ports.store().transact(rows, tx -> {
            batch.forEach((subject, counts) -> write(tx, subject, counts));
            return batch.size();
        });
        return batch.size();
    }

    private synchronized void add(Subject subject, Counts counts) {
        if (waiting.size() >= MAX_WAITING && !waiting.containsKey(subject)) {
            dropped++;
            return;
        }
        waiting.merge(subject, counts, Counts::plus);
    }

    private synchronized Map<Subject, Counts> take() {
        var batch = new LinkedHashMap<Subject, Counts>();
        var all = waiting.entrySet().iterator();
        while (all.hasNext() && batch.size() < BATCH) {
            var next = all.next();
            batch.put(next.getKey(), next.getValue());
            all.remove();
        }
        return batch;
    }

    private static void write(Tx tx, Subject subject, Counts counts) {
        JobId.of(subject.id())
                .flatMap(id -> tx.find(Tables.JOBS, new Tables.JobKey(subject.tenant(), id)))
                .ifPresent(job -> tx.update(
                        Tables.JOBS,
                        Tables.key(job),
                        job.with(
                                job.duplicates().plus(counts.replays(), counts.mismatches()),
                                told(job.timeline(), counts))));
        RunId.of(subject.id())
                .flatMap(id -> tx.find(Tables.RUNS, Tables.runKey(subject.tenant(), id)))
                .ifPresent(run -> tx.update(
                        Tables.RUNS,
                        Tables.key(run),
                        run.with(
                                run.duplicates().plus(counts.replays(), counts.mismatches()),
                                told(run.timeline(), counts))));
    }

    private static Timeline told(Timeline timeline, Counts counts) {
        var told = timeline;
        if (counts.replays() > 0) {
            told = told.andBlocked("idempotency_key", "replay", counts.replays(), counts.last());
        }
        if (counts.mismatches() > 0) {
            told = told.andBlocked("idempotency_key", "mismatch", counts.mismatches(), counts.last());
        }
        return told;
    }
}
