package dev.nonbis.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends a call until it has a final answer or the policy's patience ends; the key never changes in between. */
final class Retrying {

    private final Transport transport;
    private final RetryPolicy policy;
    private final Pace pace;

    Retrying(Transport transport, RetryPolicy policy, Pace pace) {
        this.transport = transport;
        this.policy = policy;
        this.pace = pace;
    }

    Retrying with(RetryPolicy other) {
        return new Retrying(transport, other, pace);
    }

    Answer send(Call call) {
        var started = pace.nanoTime();
        // Once an attempt may have arrived, a later refusal to take the call says nothing about that attempt.
        var mayHaveArrived = false;
        for (var attempts = 1; ; attempts++) {
            Attempt attempt;
            try {
                attempt = transport.send(call, attempts);
            } catch (InterruptedException e) {
                throw interrupted(call, !call.changesNothing(), e);
            }
            if (attempt instanceof Attempt.Answered answered) {
                return answered.answer();
            }
            if (attempt instanceof Attempt.Refused refused && refused.problem().retry() != Problem.Retry.SAME_KEY) {
                throw new ProblemException(refused.problem(), call.idempotencyKey());
            }
            mayHaveArrived |= leavesOutcomeOpen(attempt);
            var elapsed = Duration.ofNanos(pace.nanoTime() - started);
            var wait = waitAfter(attempt, attempts);
            if (attempts == policy.maxAttempts() || elapsed.plus(wait).compareTo(policy.maxElapsed()) > 0) {
                throw givingUp(call, attempt, attempts, mayHaveArrived && !call.changesNothing());
            }
            pause(call, wait, mayHaveArrived && !call.changesNothing());
        }
    }

    private static boolean leavesOutcomeOpen(Attempt attempt) {
        return attempt instanceof Attempt.Lost
                || attempt instanceof Attempt.Unintelligible
                || (attempt instanceof Attempt.Refused refused
                        && refused.problem().code().equals("outcome_unknown"));
    }

    private Duration waitAfter(Attempt attempt, int attempts) {
        var own = policy.delayAfter(attempts, pace::chance);
        var asked = attempt instanceof Attempt.Refused refused
                ? refused.problem().retryAfter()
                : Optional.<Duration>empty();
        return asked.filter(wait -> wait.compareTo(own) > 0).orElse(own);
    }

    private void pause(Call call, Duration wait, boolean mayHaveHappened) {
        try {
            pace.pause(wait);
        } catch (InterruptedException e) {
            throw interrupted(call, mayHaveHappened, e);
        }
    }

    private static NonbisException interrupted(Call call, boolean mayHaveHappened, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return noAnswer(call, "interrupted while waiting for an answer", mayHaveHappened, cause);
    }

    private static NonbisException givingUp(Call call, Attempt last, int attempts, boolean mayHaveHappened) {
        var times = attempts == 1 ? "1 attempt" : attempts + " attempts";
        if (last instanceof Attempt.Refused refused) {
            return mayHaveHappened
                    ? noAnswer(
                            call,
                            "no final answer after " + times + ", last: "
                                    + refused.problem().code(),
                            true,
                            null)
                    : new ProblemException(refused.problem(), call.idempotencyKey());
        }
        if (last instanceof Attempt.Unintelligible unintelligible) {
            var status = unintelligible.status();
            return noAnswer(
                    call, "no answer of Nonbis after " + times + ", last: HTTP " + status, mayHaveHappened, null);
        }
        if (last instanceof Attempt.NotSent notSent) {
            return noAnswer(call, "no connection after " + times, mayHaveHappened, notSent.cause());
        }
        if (last instanceof Attempt.Lost lost) {
            return noAnswer(call, "no answer after " + times, mayHaveHappened, lost.cause());
        }
        throw new IllegalStateException("an answer is not a reason to give up");
    }

    private static NonbisException noAnswer(
            Call call, String message, boolean mayHaveHappened, @Nullable Throwable cause) {
        return mayHaveHappened
                ? new OutcomeUnknownException(message, call.idempotencyKey(), cause)
                : new UnreachableException(message, call.idempotencyKey(), cause);
    }
}
