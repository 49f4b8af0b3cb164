package dev.nonbis.core.dispatch;

import dev.nonbis.core.job.Job;
import java.time.Duration;

/**
 * What an operator decided for the jobs of one topic.
 *
 * @param dispatchTimeout how long a dispatched job waits for a worker to start it
 * @param runningTimeout how long a worker may be silent
 * @param maxAttempts how often a job is scheduled, unless it says so itself
 */
public record TopicRules(Duration dispatchTimeout, Duration runningTimeout, int maxAttempts, LostWorker lostWorker) {

    public static final TopicRules DEFAULTS =
            new TopicRules(Duration.ofMinutes(5), Duration.ofMinutes(15), 50, LostWorker.RETRY);

    /** What becomes of a job whose worker started it and went silent. */
    public enum LostWorker {
        /** Another execution begins, under a higher fence. */
        RETRY,
        /** A human has to say how it ended. */
        HOLD
    }

    public int maxAttempts(Job job) {
        return job.spec().maxAttempts().orElse(maxAttempts);
    }
}
