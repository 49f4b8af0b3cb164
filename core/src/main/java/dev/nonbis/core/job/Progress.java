package dev.nonbis.core.job;

import dev.nonbis.core.identity.Worker;
import java.time.Instant;
import java.util.Optional;

/**
 * How far the work on a job has come.
 *
 * @param intent the publish that is owed or was made last; absent before the first
 * @param claim the worker that started the newest execution that was started
 * @param outstanding whether a worker has started an earlier execution and never answered, so that its effect may exist
 * @param resolution what an operator last said about an unknown outcome
 */
public record Progress(
        Counts counts,
        Optional<Intent> intent,
        Optional<Claim> claim,
        boolean outstanding,
        Optional<Resolution> resolution) {

    public static final Progress NONE =
            new Progress(new Counts(0, 0, 0, 0, 0, 0), Optional.empty(), Optional.empty(), false, Optional.empty());

    /**
     * What is counted.
     *
     * @param attempts writes of SCHEDULED, those of rollbacks too
     * @param forgiven attempts that no longer count against the limit, because an operator asked for more
     * @param intents dispatch intents; each has the next number, so that a rollback can name the one it undoes
     * @param execution the number of the execution under way or next, which is also its fence
     * @param executions executions that workers may have seen
     * @param failedPublishes publishes in a row that failed
     */
    public record Counts(int attempts, int forgiven, int intents, int execution, int executions, int failedPublishes) {

        Counts attempted() {
            return new Counts(attempts + 1, forgiven, intents, Math.max(1, execution), executions, failedPublishes);
        }

        Counts intended() {
            return new Counts(attempts, forgiven, intents + 1, execution, executions, failedPublishes);
        }

        Counts seen() {
            return new Counts(attempts, forgiven, intents, execution, execution, failedPublishes);
        }

        Counts publishFailed() {
            return new Counts(attempts, forgiven, intents, execution, executions, failedPublishes + 1);
        }

        Counts published() {
            return new Counts(attempts, forgiven, intents, execution, execution, 0);
        }

        Counts nextExecution() {
            return new Counts(attempts, forgiven, intents, execution + 1, executions, 0);
        }

        Counts forgive() {
            return new Counts(attempts, attempts, intents, execution, executions, failedPublishes);
        }
    }

    /**
     * A publish that was promised in the write that made the job DISPATCHED.
     *
     * @param number tells this intent from every other of its job
     * @param published whether the bus is known to have it
     */
    public record Intent(int number, boolean published) {}

    /**
     * A worker's hold on an execution.
     *
     * @param heardAt when the worker last gave a sign of life
     */
    public record Claim(Worker worker, int fence, String requestId, Instant heardAt) {}

    /** An operator's word on how a job ended. */
    public record Resolution(String outcome, String by, Instant at, String requestId) {}

    public int attempts() {
        return counts.attempts();
    }

    public int execution() {
        return counts.execution();
    }

    public int executions() {
        return counts.executions();
    }

    /** Whether the work may be tried again within this limit. */
    public boolean hasAttemptsLeft(int maxAttempts) {
        return counts.attempts() - counts.forgiven() < maxAttempts;
    }

    Progress attempted() {
        return with(counts.attempted());
    }

    /** A new intent, which takes the place of any before. */
    public Progress intended() {
        var next = counts.intended();
        return new Progress(next, Optional.of(new Intent(next.intents(), false)), claim, outstanding, resolution);
    }

    /** The bus has the message. */
    public Progress published() {
        return new Progress(
                counts.published(), intent.map(i -> new Intent(i.number(), true)), claim, outstanding, resolution);
    }

    /**
     * The publish failed.
     *
     * @param maybeSeen whether the message may be out all the same
     */
    public Progress publishFailed(boolean maybeSeen) {
        var failed = counts.publishFailed();
        return new Progress(maybeSeen ? failed.seen() : failed, Optional.empty(), claim, outstanding, resolution);
    }

    public Progress claimed(Claim by) {
        return new Progress(counts, intent, Optional.of(by), outstanding, resolution);
    }

    /**
     * The work is to be done anew, under a higher fence.
     *
     * @param lost whether the execution before it was started and not answered
     */
    public Progress nextExecution(boolean lost) {
        return new Progress(counts.nextExecution(), Optional.empty(), claim, outstanding || lost, resolution);
    }

    public Progress resolved(Resolution word) {
        return new Progress(counts, intent, claim, outstanding, Optional.of(word));
    }

    /** All attempts so far are forgiven. */
    public Progress forgiven() {
        return with(counts.forgive());
    }

    private Progress with(Counts other) {
        return new Progress(other, intent, claim, outstanding, resolution);
    }
}
