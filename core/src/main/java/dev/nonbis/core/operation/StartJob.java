package dev.nonbis.core.operation;

import dev.nonbis.core.bus.LocalBus;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Progress.Claim;
import dev.nonbis.core.operation.DispatchListener.Layer;
import dev.nonbis.core.reconcile.ReconcileRules;
import dev.nonbis.core.reconcile.ReconcileRules.Action;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/** Gives an execution to the first worker that asks for it under its fence. */
public final class StartJob {

    private final DispatchPorts ports;
    private final JobMoves moves;

    public StartJob(DispatchPorts ports) {
        this.ports = ports;
        this.moves = new JobMoves(ports.ports());
    }

    /** How a call ended. */
    public sealed interface Outcome {

        record Started(Job job) implements Outcome {}

        /** By the same worker before, in the request with this id. */
        record AlreadyStarted(Job job, String originalRequest) implements Outcome {}

        record ClaimedElsewhere(Job job) implements Outcome {}

        /** The fence is not, or not any more, that of an execution that may start. */
        record Stale(Job job) implements Outcome {}

        record NoSuchJob() implements Outcome {}
    }

    public Outcome start(WorkerCall call) {
        Instant now = ports.now();
        var outcome = ports.store()
                .transact(
                        call.startReads(),
                        tx -> tx.find(Tables.JOBS, call.key())
                                .map(job -> start(tx, job, call, now))
                                .orElseGet(Outcome.NoSuchJob::new));
        switch (outcome) {
            case Outcome.AlreadyStarted(var job, var request) -> {
                ports.listener().blocked(job, Layer.JOB_STATE, "start");
                settle(job);
            }
            case Outcome.ClaimedElsewhere(var job) -> ports.listener().blocked(job, Layer.JOB_STATE, "start");
            case Outcome.Stale(var job) -> ports.listener().blocked(job, Layer.WORKER_FENCE, "start");
            case Outcome.Started(var job) -> settle(job);
            case Outcome.NoSuchJob none -> {}
        }
        return outcome;
    }

    // A bus in the store has heard of it in the same write.
    private void settle(Job started) {
        if (!(ports.bus() instanceof LocalBus)) {
            ports.bus().settle(Message.of(started));
        }
    }

    private Outcome start(Tx tx, Job job, WorkerCall call, Instant now) {
        if (call.fence() != job.progress().execution()) {
            return new Outcome.Stale(job);
        }
        if (job.state() == JobState.RUNNING) {
            return call.isClaimant(job)
                    ? new Outcome.AlreadyStarted(
                            job, job.progress().claim().orElseThrow().requestId())
                    : new Outcome.ClaimedElsewhere(job);
        }
        if (job.state() != JobState.DISPATCHED) {
            return new Outcome.Stale(job);
        }
        var rules = ports.topics().of(job.spec().topic());
        var late = ReconcileRules.rule(job.dueAt(Optional.empty()), rules, now);
        if (!(late instanceof Action.Leave)) {
            return new Outcome.Stale(moves.apply(tx, job, late, now));
        }
        var note = JsonObject.builder()
                .put("worker", call.workerId())
                .put("fence", call.fence())
                .build();
        var claim = new Claim(call.worker(), call.fence(), call.requestId(), now);
        var running = job.after(JobEvent.START, now, note)
                .with(job.progress().published().claimed(claim))
                .dueAt(Optional.of(now.plus(rules.runningTimeout())));
        JobRows.update(tx, job, running);
        return new Outcome.Started(running);
    }
}
