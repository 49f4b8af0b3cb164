package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Progress.Resolution;
import dev.nonbis.core.operation.DispatchListener.Layer;
import dev.nonbis.core.operation.JobMoves.Move;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Takes an operator's word on how a job ended of which nobody else knows. */
public final class ResolveUnknown {

    private final DispatchPorts ports;
    private final JobMoves moves;

    public ResolveUnknown(DispatchPorts ports) {
        this.ports = ports;
        this.moves = new JobMoves(ports.ports());
    }

    /** What the operator found out. */
    public enum Word {
        SUCCEEDED,
        FAILED,
        /** It did not happen, or may happen again under the same key. */
        RETRY;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One call. */
    public record Command(Actor actor, String requestId, JobId job, Word word, String reason) {}

    /** How a call ended. */
    public sealed interface Outcome {

        record Resolved(Job job) implements Outcome {}

        record AlreadyResolved(Job job, String originalRequest) implements Outcome {}

        record NotUnknown(Job job) implements Outcome {}

        record NoSuchJob() implements Outcome {}
    }

    public Outcome resolve(Command command) {
        Instant now = ports.now();
        var key = new Tables.JobKey(command.actor().tenant(), command.job());
        var outcome = ports.store()
                .transact(
                        List.of(Tables.JOBS.row(key), Tables.TENANTS.row(key.tenant())),
                        tx -> tx.find(Tables.JOBS, key)
                                .map(job -> resolve(tx, job, command, now))
                                .orElseGet(Outcome.NoSuchJob::new));
        if (outcome instanceof Outcome.AlreadyResolved(var job, var request)) {
            ports.listener().blocked(job, Layer.JOB_STATE, "resolve");
        }
        return outcome;
    }

    private Outcome resolve(Tx tx, Job job, Command command, Instant now) {
        if (job.state() != JobState.UNKNOWN) {
            return job.progress()
                    .resolution()
                    .filter(before -> before.outcome().equals(command.word().word()))
                    .<Outcome>map(before -> new Outcome.AlreadyResolved(job, before.requestId()))
                    .orElseGet(() -> new Outcome.NotUnknown(job));
        }
        var resolution = new Resolution(command.word().word(), command.actor().subject(), now, command.requestId());
        var resolved = job.with(job.progress().resolved(resolution));
        var note = JsonObject.builder()
                .put("by", command.actor().subject())
                .put("resolution", command.word().word())
                .put("reason", command.reason())
                .build();
        return new Outcome.Resolved(
                apply(tx, resolved, command.word(), new Move(command.actor().subject(), now, note)));
    }

    /** Carries out the word on a job in UNKNOWN. */
    Job apply(Tx tx, Job job, Word word, Move move) {
        return switch (word) {
            case SUCCEEDED -> moves.end(tx, job, JobEvent.SUCCEED, move);
            case FAILED -> moves.end(tx, job, JobEvent.FAIL, move);
            case RETRY -> {
                Audit.append(
                        tx,
                        job.tenant(),
                        new AuditEvent.Draft(
                                move.at(),
                                "job.requeued",
                                move.by(),
                                job.id().value(),
                                Optional.of(job.origin().requestHash()),
                                Optional.empty(),
                                move.note()));
                yield moves.requeue(tx, job.with(job.progress().forgiven()), true, move.at(), move);
            }
        };
    }
}
