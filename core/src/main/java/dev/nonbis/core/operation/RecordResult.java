package dev.nonbis.core.operation;

import dev.nonbis.core.bus.LocalBus;
import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.dispatch.Backoff;
import dev.nonbis.core.dispatch.Result;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.operation.DispatchListener.Layer;
import dev.nonbis.core.operation.JobMoves.Move;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.Sha256;
import java.time.Instant;

/** Takes one result for each execution: the first that its worker gives, under the newest fence. */
public final class RecordResult {

    private static final int MAX_NOTED_BYTES = 4096;

    private final DispatchPorts ports;
    private final JobMoves moves;

    public RecordResult(DispatchPorts ports) {
        this.ports = ports;
        this.moves = new JobMoves(ports.ports());
    }

    /** How a call ended. */
    public sealed interface Outcome {

        record Recorded(Job job) implements Outcome {}

        /** The same was recorded before. */
        record AlreadyRecorded(Job job, Result first) implements Outcome {}

        /** Something else was recorded before, or the job was ended otherwise. */
        record Conflict(Job job) implements Outcome {}

        /** A worker with the same id under another subject started the execution. */
        record ClaimedElsewhere(Job job) implements Outcome {}

        record Stale(Job job) implements Outcome {}

        record NoSuchJob() implements Outcome {}
    }

    public Outcome record(WorkerCall call, Result.Content content) {
        Instant now = ports.now();
        var outcome = ports.store()
                .transact(
                        call.resultReads(),
                        tx -> tx.find(Tables.JOBS, call.key())
                                .map(job -> record(tx, job, call, content, now))
                                .orElseGet(Outcome.NoSuchJob::new));
        switch (outcome) {
            case Outcome.AlreadyRecorded(var job, var first) ->
                ports.listener().blocked(job, Layer.RESULT_RECORD, "result");
            case Outcome.Conflict(var job) -> ports.listener().blocked(job, Layer.RESULT_RECORD, "result_conflict");
            case Outcome.ClaimedElsewhere(var job) -> ports.listener().blocked(job, Layer.WORKER_FENCE, "result");
            case Outcome.Stale(var job) -> ports.listener().blocked(job, Layer.WORKER_FENCE, "result");
            case Outcome.Recorded(var job) -> ports.listener().answered(job, content);
            case Outcome.NoSuchJob none -> {}
        }
        return outcome;
    }

    private Outcome record(Tx tx, Job job, WorkerCall call, Result.Content content, Instant now) {
        var first = tx.find(Tables.RESULTS, call.key()).filter(result -> result.fence() == call.fence());
        if (first.isPresent()) {
            return repeated(job, first.get(), call, content);
        }
        if (call.isNamesakeOfClaimant(job)) {
            return new Outcome.ClaimedElsewhere(job);
        }
        if (call.fence() != job.progress().execution() || !call.isClaimant(job)) {
            return new Outcome.Stale(job);
        }
        if (!JobMoves.isStarted(job)) {
            return new Outcome.Conflict(job);
        }
        tx.put(Tables.RESULTS, call.key(), new Result(content, call.fence(), call.worker(), now, call.requestId()));
        var moved = apply(tx, job, call, content, now);
        if (!(ports.bus() instanceof LocalBus)) {
            var owed = Announcement.of(moved, call.fence(), content.status(), now);
            tx.put(Tables.ANNOUNCEMENTS, owed.key(), owed);
        }
        return new Outcome.Recorded(moved);
    }

    private static Outcome repeated(Job job, Result first, WorkerCall call, Result.Content content) {
        if (first.worker().isNamesakeOf(call.worker())) {
            return new Outcome.ClaimedElsewhere(job);
        }
        return first.worker().equals(call.worker()) && first.isRepeatedBy(content)
                ? new Outcome.AlreadyRecorded(job, first)
                : new Outcome.Conflict(job);
    }

    private Job apply(Tx tx, Job job, WorkerCall call, Result.Content content, Instant now) {
        var note = JsonObject.builder()
                .put("worker", call.workerId())
                .put("fence", call.fence())
                .put("result", content.status().word())
                .putValue("error", content.error().map(RecordResult::noted))
                .build();
        var move = new Move(call.actor().subject(), now, note);
        return switch (content.status()) {
            case SUCCEEDED -> moves.end(tx, job, JobEvent.SUCCEED, move);
            case FAILED -> moves.end(tx, job, JobEvent.FAIL, move);
            case RETRYABLE -> retry(tx, job, move);
        };
    }

    // The timeline is in the job's row and the event in the tenant's; what is large is with the result alone.
    private static JsonValue noted(JsonSlice error) {
        return error.length() <= MAX_NOTED_BYTES
                ? error.parse()
                : JsonObject.builder()
                        .put("sha256", Sha256.hex(Json.canonical(error.parse())))
                        .put("bytes", error.length())
                        .build();
    }

    // The worker answered, so nothing of this execution is outstanding.
    private Job retry(Tx tx, Job job, Move move) {
        if (job.progress().hasAttemptsLeft(ports.topics().of(job.spec().topic()).maxAttempts(job))) {
            var wait = Backoff.after(job.progress().execution() - 1, job.id());
            return moves.requeue(tx, job, false, move.at().plus(wait), move);
        }
        // An execution before this one may have been started and never answered; then nobody can promise that it
        // failed.
        var ended = job.progress().outstanding() ? moves.hold(tx, job, move) : moves.end(tx, job, JobEvent.FAIL, move);
        moves.deadLetter(tx, ended, "retryable", move.at());
        return ended;
    }
}
