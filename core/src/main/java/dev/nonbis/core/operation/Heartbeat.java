package dev.nonbis.core.operation;

import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Progress.Claim;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.core.operation.DispatchListener.Layer;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Hears that a worker is alive, and tells it whether its work is still wanted. */
public final class Heartbeat {

    private final DispatchPorts ports;

    public Heartbeat(DispatchPorts ports) {
        this.ports = ports;
    }

    /** How a call ended. */
    public sealed interface Outcome {

        record Alive(Job job) implements Outcome {}

        /** The job was cancelled while this worker had it. */
        record Cancelled(Job job) implements Outcome {}

        record ClaimedElsewhere(Job job) implements Outcome {}

        record Stale(Job job) implements Outcome {}

        record NoSuchJob() implements Outcome {}
    }

    /** Takes a sign of life, with a note on how far the work is if the worker gives one. */
    public Outcome beat(WorkerCall call, Optional<String> note) {
        Instant now = ports.now();
        var outcome = ports.store()
                .transact(
                        List.of(Tables.JOBS.row(call.key())),
                        tx -> tx.find(Tables.JOBS, call.key())
                                .map(job -> beat(tx, job, call, note, now))
                                .orElseGet(Outcome.NoSuchJob::new));
        switch (outcome) {
            case Outcome.Stale(var job) -> ports.listener().blocked(job, Layer.WORKER_FENCE, "heartbeat");
            case Outcome.ClaimedElsewhere(var job) -> ports.listener().blocked(job, Layer.WORKER_FENCE, "heartbeat");
            case Outcome.Alive alive -> {}
            case Outcome.Cancelled cancelled -> {}
            case Outcome.NoSuchJob none -> {}
        }
        return outcome;
    }

    private Outcome beat(Tx tx, Job job, WorkerCall call, Optional<String> note, Instant now) {
        if (call.fence() != job.progress().execution()) {
            return new Outcome.Stale(job);
        }
        if (!call.isClaimant(job)) {
            return job.state() == JobState.RUNNING || call.isNamesakeOfClaimant(job)
                    ? new Outcome.ClaimedElsewhere(job)
                    : new Outcome.Stale(job);
        }
        if (job.state() == JobState.CANCELLED) {
            return new Outcome.Cancelled(job);
        }
        if (job.state() != JobState.RUNNING) {
            return new Outcome.Stale(job);
        }
        var claim = job.progress().claim().orElseThrow();
        var timeout = ports.topics().of(job.spec().topic()).runningTimeout();
        var heard = job.with(job.progress().claimed(new Claim(claim.worker(), claim.fence(), claim.requestId(), now)))
                .dueAt(Optional.of(later(job.due(), now.plus(timeout))));
        var told = note.map(text -> heard.noted(new TimelineEntry(
                        now, "progress", JsonObject.builder().put("note", text).build())))
                .orElse(heard);
        JobRows.update(tx, job, told);
        return new Outcome.Alive(told);
    }

    // A heartbeat never shortens a lease: while the clock is set back, it would end as soon as the clock is right
    // again.
    private static Instant later(Optional<Instant> lease, Instant renewed) {
        return lease.filter(renewed::isBefore).orElse(renewed);
    }
}
