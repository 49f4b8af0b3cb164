package dev.nonbis.core.store;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Under which texts the loops find a job. What waits to be dispatched stands in a queue of its tenant and topic, so that a long one
 * hides no other; what is watched for a timeout stands apart, so that no queue hides it.
 */
public final class DueEntries {

    /** Before every job that waits to be dispatched. */
    public static final String READY = "ready/";

    /** Before every job that is watched. */
    public static final String WATCHED = "watch/";

    private DueEntries() {}

    /** Before every job of this tenant and topic that waits to be dispatched; the time follows. */
    public static String ready(TenantId tenant, String topic) {
        return READY + tenant + "/" + topic + "/";
    }

    static Set<String> of(Job job) {
        return switch (job.state()) {
            case PENDING, SCHEDULED -> ready(job);
            case DISPATCHED, RUNNING -> job.due().map(at -> watched(job, at)).orElse(Set.of());
            case APPROVAL, UNKNOWN, SUCCEEDED, FAILED, TIMEOUT, CANCELLED, DENIED -> Set.of();
        };
    }

    private static Set<String> ready(Job job) {
        var entries = new HashSet<String>();
        job.due().ifPresent(at -> entries.add(ready(job.tenant(), job.spec().topic()) + Tables.dueEntry(at)));
        job.deadline().ifPresent(at -> entries.add(WATCHED + Tables.dueEntry(at)));
        return entries;
    }

    private static Set<String> watched(Job job, Instant due) {
        // A worker that has it may finish it, however late.
        boolean mayBeTooLate = job.state() == JobState.DISPATCHED;
        Instant at = job.deadline()
                .filter(deadline -> mayBeTooLate && deadline.isBefore(due))
                .orElse(due);
        return Set.of(WATCHED + Tables.dueEntry(at));
    }
}
