package dev.nonbis.core.dispatch;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import java.time.Instant;

/**
 * That a result was recorded, for whoever listens on a bus apart from the store. It is owed from the write that records the result until
 * the bus has it. What the worker said stands in the store.
 *
 * @param state what the result made of the job
 * @param trace the trace that the job belongs to
 */
public record Announcement(Key key, String topic, Result.Status status, JobState state, Instant at, Trace trace) {

    /** Where one that is owed is found. */
    public record Key(TenantId tenant, JobId job, int execution) {}

    public static Announcement of(Job ended, int execution, Result.Status status, Instant at) {
        return new Announcement(
                new Key(ended.tenant(), ended.id(), execution),
                ended.spec().topic(),
                status,
                ended.state(),
                at,
                ended.origin().trace());
    }

    public MessageId id() {
        return MessageId.result(key.job(), key.execution());
    }
}
