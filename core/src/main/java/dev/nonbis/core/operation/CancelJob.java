package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Ends a job that has not ended. */
public final class CancelJob {

    private final Ports ports;
    private final RunSteps runs;

    public CancelJob(Ports ports) {
        this.ports = ports;
        this.runs = new RunSteps(ports);
    }

    /** How a call ended. */
    public sealed interface Result {

        record Cancelled(Job job) implements Result {}

        record AlreadyCancelled(Job job) implements Result {}

        record AlreadyTerminal(Job job) implements Result {}

        record NoSuchJob() implements Result {}
    }

    public Result cancel(Actor actor, JobId id, Optional<String> reason) {
        Instant now = ports.clock().instant();
        var key = new Tables.JobKey(actor.tenant(), id);
        return ports.store().transact(List.of(Tables.JOBS.row(key), Tables.TENANTS.row(actor.tenant())), tx -> {
            var found = tx.find(Tables.JOBS, key);
            if (found.isEmpty()) {
                return new Result.NoSuchJob();
            }
            var job = found.get();
            if (job.state() == JobState.CANCELLED) {
                return new Result.AlreadyCancelled(job);
            }
            if (job.state().isTerminal()) {
                return new Result.AlreadyTerminal(job);
            }
            var cancelled = cancel(tx, job, actor.subject(), reason, now);
            runs.afterJob(tx, cancelled, actor.subject(), now);
            return new Result.Cancelled(cancelled);
        });
    }

    static Job cancel(Tx tx, Job job, String by, Optional<String> reason, Instant now) {
        var note =
                JsonObject.builder().put("by", by).putString("reason", reason).build();
        var cancelled = job.after(JobEvent.CANCEL, now, note);
        JobRows.update(tx, job, cancelled);
        JobMoves.answerLetter(tx, job);
        if (job.state() == JobState.APPROVAL) {
            var approval = tx.get(
                    Tables.APPROVALS, new Approval.Key(job.tenant(), job.id().value()));
            tx.update(Tables.APPROVALS, approval.key(), approval.closed());
        }
        Audit.append(
                tx,
                job.tenant(),
                new AuditEvent.Draft(
                        now, "job.cancelled", by, job.id().value(), Optional.empty(), Optional.empty(), note));
        return cancelled;
    }
}
