package dev.nonbis.core.store;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import java.time.Instant;
import java.util.Optional;

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

    /** Where a job waits to be dispatched. */
    static Optional<String> due(Job job) {
        return switch (job.state()) {
            case PENDING, SCHEDULED ->
                job.due().map(at -> ready(job.tenant(), job.spec().topic()) + Tables.dueEntry(at));
            case DISPATCHED, RUNNING, APPROVAL, UNKNOWN, SUCCEEDED, FAILED, TIMEOUT, CANCELLED, DENIED ->
                Optional.empty();
        };
    }

    /** Where a job is watched, until it is too late to begin or something must have been heard of it. */
    static Optional<String> watch(Job job) {
        return switch (job.state()) {
            case PENDING, SCHEDULED -> job.deadline().map(DueEntries::watched);
            case DISPATCHED -> job.due().map(at -> watched(earlier(at, job.deadline())));
            // A worker that has it may finish it, however late.
            case RUNNING -> job.due().map(DueEntries::watched);
            case APPROVAL, UNKNOWN, SUCCEEDED, FAILED, TIMEOUT, CANCELLED, DENIED -> Optional.empty();
        };
    }

    private static String watched(Instant at) {
        return WATCHED + Tables.dueEntry(at);
    }

    private static Instant earlier(Instant due, Optional<Instant> deadline) {
        return deadline.filter(at -> at.isBefore(due)).orElse(due);
    }
}
