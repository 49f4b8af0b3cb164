package dev.nonbis.core.dispatch;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.JobState;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * A job that ran out of attempts, or a message that names none, kept until a human has dealt with it.
 *
 * @param job the job; for a message without one a name that no job has
 * @param state how the job stood then: FAILED, or UNKNOWN when an effect may be outstanding
 * @param retry what came of it when a human asked for another try
 * @param message the bytes of a message that names no job
 */
public record DeadLetter(
        TenantId tenant,
        JobId job,
        String topic,
        JobState state,
        String why,
        Instant at,
        Optional<Retry> retry,
        Optional<String> message) {

    public static final String UNREADABLE = "unreadable_message";

    /** A job that may not be tried again. */
    public static DeadLetter of(TenantId tenant, JobId job, String topic, JobState state, String why, Instant at) {
        return new DeadLetter(tenant, job, topic, state, why, at, Optional.empty(), Optional.empty());
    }

    /**
     * A message that names no job.
     *
     * @param place tells the message from every other, so that one that is delivered twice is one letter
     */
    public static DeadLetter unreadable(TenantId tenant, String topic, String place, byte[] bytes, Instant at) {
        return new DeadLetter(
                tenant,
                JobId.ofMessage(place),
                topic,
                JobState.FAILED,
                UNREADABLE,
                at,
                Optional.empty(),
                Optional.of(Base64.getEncoder().encodeToString(bytes)));
    }

    /** The label of a job that takes the place of one that FAILED; it names the first of them. */
    public static final String RETRY_OF = "nonbis.retry_of";

    /** Where a dead letter is found. */
    public record Key(TenantId tenant, JobId job) {}

    /** The job that does the work again: a new one after FAILED, the same one after UNKNOWN. */
    public record Retry(JobId job, String by, Instant at, String requestId) {}

    public Key key() {
        return new Key(tenant, job);
    }

    public DeadLetter retried(Retry made) {
        return new DeadLetter(tenant, job, topic, state, why, at, Optional.of(made), message);
    }
}
