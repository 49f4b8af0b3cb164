package dev.nonbis.core.reconcile;

import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.TopicRules.LostWorker;
import dev.nonbis.core.job.Job;
import java.time.Instant;

/** Says what the passing of time makes of a job. FAILED and TIMEOUT promise that no effect is outstanding; where one may be, a human decides. */
public final class ReconcileRules {

    private ReconcileRules() {}

    /** What to do. */
    public sealed interface Action {

        /** It is not time yet, or the state is not one that time moves. */
        record Leave() implements Action {}

        /** The deadline has passed and no worker has it. */
        record TimeOut() implements Action {}

        /** The publish is owed and whoever owed it is late: publish again under the same name. */
        record TakeOver() implements Action {}

        /** Do the work again under a higher fence. */
        record Requeue(String why, boolean lost) implements Action {}

        /** Out of attempts, nothing outstanding. */
        record Fail(String why) implements Action {}

        /** Nobody knows how it ended. */
        record Hold(String why, boolean outOfAttempts) implements Action {}
    }

    public static Action rule(Job job, TopicRules topic, Instant now) {
        return switch (job.state()) {
            case PENDING, SCHEDULED -> isTooLate(job, now) ? tooLate(job) : new Action.Leave();
            case DISPATCHED ->
                isTooLate(job, now) ? tooLate(job) : isDue(job, now) ? notStarted(job, topic) : new Action.Leave();
            case RUNNING -> isDue(job, now) ? silent(job, topic) : new Action.Leave();
            case APPROVAL, UNKNOWN, SUCCEEDED, FAILED, TIMEOUT, CANCELLED, DENIED -> new Action.Leave();
        };
    }

    /** What becomes of a job that may not be tried again. */
    public static Action outOfAttempts(Job job, String why) {
        return job.progress().outstanding() ? new Action.Hold(why, true) : new Action.Fail(why);
    }

    private static Action tooLate(Job job) {
        return job.progress().outstanding() ? new Action.Hold("deadline_passed", false) : new Action.TimeOut();
    }

    private static Action notStarted(Job job, TopicRules topic) {
        boolean published =
                job.progress().intent().map(intent -> intent.published()).orElse(true);
        if (!published) {
            return new Action.TakeOver();
        }
        return job.progress().hasAttemptsLeft(topic.maxAttempts(job))
                ? new Action.Requeue("not_started", false)
                : outOfAttempts(job, "not_started");
    }

    private static Action silent(Job job, TopicRules topic) {
        if (topic.lostWorker() == LostWorker.HOLD) {
            return new Action.Hold("worker_lost", false);
        }
        return job.progress().hasAttemptsLeft(topic.maxAttempts(job))
                ? new Action.Requeue("worker_lost", true)
                : new Action.Hold("worker_lost", true);
    }

    private static boolean isTooLate(Job job, Instant now) {
        return job.deadline().filter(deadline -> !deadline.isAfter(now)).isPresent();
    }

    private static boolean isDue(Job job, Instant now) {
        return job.due().filter(due -> !due.isAfter(now)).isPresent();
    }
}
