package dev.nonbis.core.dispatch;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job;

/**
 * A request to do one execution of one job. It names the job; what is to be done stands in the store.
 *
 * @param trace the trace that the job belongs to, for buses that show it to others
 * @param bytes how much is handed out with it, as far as that is known; it is not sent to others
 */
public record Message(MessageId id, String subject, TenantId tenant, JobId job, int execution, Trace trace, int bytes) {

    public Message(MessageId id, String subject, TenantId tenant, JobId job, int execution) {
        this(id, subject, tenant, job, execution, Trace.NONE);
    }

    public Message(MessageId id, String subject, TenantId tenant, JobId job, int execution, Trace trace) {
        this(id, subject, tenant, job, execution, trace, 0);
    }

    /** The request for the execution of the job that is under way or next. */
    public static Message of(Job job) {
        return new Message(
                MessageId.request(job),
                job.spec().topic(),
                job.tenant(),
                job.id(),
                job.progress().execution(),
                job.origin().trace(),
                job.origin().askedBytes());
    }
}
