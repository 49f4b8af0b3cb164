package dev.nonbis.core.operation;

import dev.nonbis.core.bus.Queue;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;
import java.time.Instant;

/** Writes jobs and keeps the tenant's count of them by state. */
final class JobRows {

    private JobRows() {}

    static void insert(Tx tx, Job job) {
        tx.insert(Tables.JOBS, Tables.key(job), job);
        var tenant = tx.find(Tables.TENANTS, job.tenant()).orElse(TenantState.NEW);
        tx.put(
                Tables.TENANTS,
                job.tenant(),
                tenant.with(tenant.jobs().entered(job.state(), job.origin().createdAt())));
    }

    static void update(Tx tx, Job before, Job after) {
        tx.update(Tables.JOBS, Tables.key(after), after);
        if (before.state() == JobState.DISPATCHED
                && after.state() != JobState.DISPATCHED
                && !isRolledBack(before, after)) {
            Queue.spend(tx, Message.of(before));
        }
        if (before.state() != after.state()) {
            count(tx, before, -1);
            count(tx, after, 1);
            var tenant = tx.get(Tables.TENANTS, after.tenant());
            Instant at = after.timeline().entries().getLast().at();
            var counts = tenant.jobs().left(before.state(), at).entered(after.state(), at);
            tx.put(Tables.TENANTS, after.tenant(), tenant.with(counts));
        }
    }

    // With the bus is what is DISPATCHED, whichever bus it is.
    private static void count(Tx tx, Job job, int change) {
        if (job.state() == JobState.DISPATCHED) {
            Queue.count(tx, new QueuedMessage.DepthKey(job.tenant(), job.spec().topic()), change);
        }
    }

    // The next publish has the same name, so the message must stay for it to be the duplicate of.
    private static boolean isRolledBack(Job before, Job after) {
        return after.state() == JobState.SCHEDULED
                && after.progress().execution() == before.progress().execution();
    }
}
