package dev.nonbis.core.operation;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Remembers duplicates that were stopped, and tells them to the timelines in the background: a duplicate must stay cheaper than what
 * it repeats. What a kill or a storm loses here are counts, never a decision.
 */
public final class NoteDuplicates {

    private static final int MAX_WAITING = 20_000;
    private static final int BATCH = 200;
    private static final String KEY_LAYER = "idempotency_key";
    private static final Kind REPLAY = new Kind(KEY_LAYER, "replay");
    private static final Kind MISMATCH = new Kind(KEY_LAYER, "mismatch");

    private static final ConcurrentMap<Kind, Count> NOTHING = new ConcurrentHashMap<>();

    private final Ports ports;
    private final ConcurrentMap<Subject, ConcurrentMap<Kind, Count>> waiting = new ConcurrentHashMap<>();
    private final LongAdder dropped = new LongAdder();

    public NoteDuplicates(Ports ports) {
        this.ports = ports;
    }

    /** The job or run that a duplicate would have touched again. */
    private record Subject(TenantId tenant, String id) {}

    /** What stopped a duplicate, and what it was. */
    private record Kind(String layer, String word) {}

    private record Count(long times, Instant last) {

        Count plus(Count later) {
            return new Count(times + later.times, later.last);
        }
    }

    /** The key's own answer was given again. */
    public void replayed(TenantId tenant, String subject) {
        add(new Subject(tenant, subject), REPLAY);
    }

    /** The key was sent with another request. */
    public void mismatched(TenantId tenant, String subject) {
        add(new Subject(tenant, subject), MISMATCH);
    }

    /** Another layer stopped a duplicate of this kind. */
    public void blocked(TenantId tenant, String subject, String layer, String kind) {
        add(new Subject(tenant, subject), new Kind(layer, kind));
    }

    /** What is not in the store yet. */
    public Duplicates waiting(TenantId tenant, String subject) {
        return byKey(waiting.getOrDefault(new Subject(tenant, subject), NOTHING));
    }

    /** How many were not remembered because too many others waited. */
    public long dropped() {
        return dropped.sum();
    }

    /** Writes one batch; returns how many subjects it wrote. */
    public int runOnce() {
        var batch = take();
        if (batch.isEmpty()) {
            return 0;
        }
        var rows = new ArrayList<RowRef<?, ?>>();
        batch.keySet().forEach(subject -> {
            JobId.of(subject.id()).ifPresent(id -> rows.add(Tables.JOBS.row(new Tables.JobKey(subject.tenant(), id))));
            RunId.of(subject.id()).ifPresent(id -> rows.add(Tables.RUNS.row(Tables.runKey(subject.tenant(), id))));
            PaymentId.of(subject.id())
                    .ifPresent(id -> rows.add(Tables.PAYMENTS.row(new Payment.Key(subject.tenant(), id))));
        });
        ports.store().transact(rows, tx -> {
            batch.forEach((subject, counts) -> write(tx, subject, counts));
            return batch.size();
        });
        return batch.size();
    }

    private void add(Subject subject, Kind kind) {
        if (waiting.size() >= MAX_WAITING && !waiting.containsKey(subject)) {
            dropped.increment();
            return;
        }
        var one = new Count(1, ports.clock().instant());
        // Inside compute, so that a batch takes the counts before or after this one and never between.
        waiting.compute(subject, (s, counts) -> {
            ConcurrentMap<Kind, Count> all = counts == null ? new ConcurrentHashMap<>(2) : counts;
            all.merge(kind, one, Count::plus);
            return all;
        });
    }

    private Map<Subject, Map<Kind, Count>> take() {
        var batch = new LinkedHashMap<Subject, Map<Kind, Count>>();
        for (var subject : waiting.keySet()) {
            if (batch.size() == BATCH) {
                break;
            }
            var counts = waiting.remove(subject);
            if (counts != null) {
                batch.put(subject, counts);
            }
        }
        return batch;
    }

    private static void write(Tx tx, Subject subject, Map<Kind, Count> counts) {
        var byKey = byKey(counts);
        JobId.of(subject.id())
                .flatMap(id -> tx.find(Tables.JOBS, new Tables.JobKey(subject.tenant(), id)))
                .ifPresent(job -> tx.update(
                        Tables.JOBS,
                        Tables.key(job),
                        job.with(
                                job.duplicates().plus(byKey.replays(), byKey.mismatches()),
                                told(job.timeline(), counts))));
        RunId.of(subject.id())
                .flatMap(id -> tx.find(Tables.RUNS, Tables.runKey(subject.tenant(), id)))
                .ifPresent(run -> tx.update(
                        Tables.RUNS,
                        Tables.key(run),
                        run.with(
                                run.duplicates().plus(byKey.replays(), byKey.mismatches()),
                                told(run.timeline(), counts))));
        PaymentId.of(subject.id())
                .flatMap(id -> tx.find(Tables.PAYMENTS, new Payment.Key(subject.tenant(), id)))
                .ifPresent(payment -> tx.update(
                        Tables.PAYMENTS,
                        payment.key(),
                        payment.with(payment.duplicates().plus(byKey.replays(), byKey.mismatches()))));
    }

    private static Duplicates byKey(Map<Kind, Count> counts) {
        return new Duplicates(times(counts, REPLAY), times(counts, MISMATCH));
    }

    private static long times(Map<Kind, Count> counts, Kind kind) {
        var count = counts.get(kind);
        return count == null ? 0 : count.times();
    }

    private static Timeline told(Timeline timeline, Map<Kind, Count> counts) {
        var told = timeline;
        for (var entry : counts.entrySet()) {
            var kind = entry.getKey();
            told = told.andBlocked(
                    kind.layer(),
                    kind.word(),
                    entry.getValue().times(),
                    entry.getValue().last());
        }
        return told;
    }
}
