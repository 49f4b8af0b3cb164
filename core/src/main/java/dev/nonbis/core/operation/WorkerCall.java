package dev.nonbis.core.operation;

import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Worker;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.Progress.Claim;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import java.util.List;
import java.util.Optional;

/** A worker's word on one execution of one job. */
public record WorkerCall(Actor actor, String requestId, JobId job, String workerId, int fence) {

    Tables.JobKey key() {
        return new Tables.JobKey(actor.tenant(), job);
    }

    Worker worker() {
        return new Worker(actor.subject(), workerId);
    }

    /** Whether this worker has started the execution. */
    boolean isClaimant(Job found) {
        return claim(found).filter(claim -> claim.worker().equals(worker())).isPresent();
    }

    /** Whether a worker with the same id under another subject has started the execution. */
    boolean isNamesakeOfClaimant(Job found) {
        return claim(found)
                .filter(claim -> claim.worker().isNamesakeOf(worker()))
                .isPresent();
    }

    private Optional<Claim> claim(Job found) {
        return found.progress().claim().filter(claim -> claim.fence() == fence);
    }

    /** The rows that a result will probably touch; those of a run are found later. */
    List<RowRef<?, ?>> resultReads() {
        return List.of(Tables.JOBS.row(key()), Tables.TENANTS.row(actor.tenant()), Tables.RESULTS.row(key()));
    }

    /** The rows that a start will probably touch; that of a message with a name of its own is found later. */
    List<RowRef<?, ?>> startReads() {
        return List.of(
                Tables.JOBS.row(key()),
                Tables.TENANTS.row(actor.tenant()),
                Tables.MESSAGES.row(new QueuedMessage.Key(actor.tenant(), MessageId.request(job, fence))));
    }
}
