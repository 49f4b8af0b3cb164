package dev.nonbis.core.dispatch;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.JobState;
import java.time.Instant;
import java.util.Optional;

/**
 * A job that ran out of attempts, kept until a human has dealt with it.
 *
 * @param state how the job stood then: FAILED, or UNKNOWN when an effect may be outstanding
 * @param retry what came of it when a human asked for another try
 */
public record DeadLetter(
        TenantId tenant, JobId job, String topic, JobState state, String why, Instant at, Optional<Retry> retry) {

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
        return new DeadLetter(tenant, job, topic, state, why, at, Optional.of(made));
    }
}
