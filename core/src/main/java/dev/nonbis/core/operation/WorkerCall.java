package dev.nonbis.core.operation;

import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A worker's word on one execution of one job. */
public record WorkerCall(Actor actor, String requestId, JobId job, String worker, int fence) {

    Tables.JobKey key() {
        return new Tables.JobKey(actor.tenant(), job);
    }

    boolean isClaimant(Job found) {
        return found.progress()
                .claim()
                .filter(claim -> claim.worker().equals(worker) && claim.fence() == fence)
                .isPresent();
    }

    /** The rows that the call will probably touch; looked up before, because the message's name follows from the job. */
    List<RowRef<?, ?>> reads(Store store) {
        var rows = new ArrayList<RowRef<?, ?>>();
        rows.add(Tables.JOBS.row(key()));
        rows.add(Tables.TENANTS.row(actor.tenant()));
        rows.add(Tables.RESULTS.row(key()));
        Optional<Job> seen = store.find(Tables.JOBS, key());
        seen.ifPresent(found -> {
            rows.add(Tables.MESSAGES.row(new QueuedMessage.Key(found.tenant(), MessageId.request(found))));
            rows.add(Tables.QUEUES.row(
                    new QueuedMessage.DepthKey(found.tenant(), found.spec().topic())));
            found.origin()
                    .step()
                    .ifPresent(step -> rows.add(Tables.RUNS.row(Tables.runKey(found.tenant(), step.run()))));
        });
        return rows;
    }
}
