package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.identity.Subject;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.core.reconcile.ReconcileRules.Action;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Moves jobs between admission and end, each with all that belongs to the move. */
final class JobMoves {

    static final String SYSTEM = Subject.system("dispatch");

    private final RunSteps runs;

    JobMoves(Ports ports) {
        this.runs = new RunSteps(ports);
    }

    /** Who moved it, when, and what its timeline says of it. */
    record Move(String by, Instant at, JsonObject note) {

        static Move bySystem(Instant at, String why) {
            return new Move(SYSTEM, at, JsonObject.builder().put("why", why).build());
        }
    }

    /** Carries out what the passing of time makes of a job; a publish that is owed is not for this place. */
    Job apply(Tx tx, Job job, Action action, Instant now) {
        return switch (action) {
            case Action.Leave() -> job;
            case Action.TakeOver() -> throw new IllegalStateException("a publish is owed");
            case Action.TimeOut() -> end(tx, job, JobEvent.TIME_OUT, Move.bySystem(now, "deadline_passed"));
            case Action.Requeue(var why, var lost) -> requeue(tx, job, lost, now, Move.bySystem(now, why));
            case Action.Fail(var why) -> {
                var failed = end(tx, job, JobEvent.EXHAUST, Move.bySystem(now, why));
                deadLetter(tx, failed, why, now);
                yield failed;
            }
            case Action.Hold(var why, var outOfAttempts) -> {
                var held = hold(tx, job, Move.bySystem(now, why));
                if (outOfAttempts) {
                    deadLetter(tx, held, why, now);
                }
                yield held;
            }
        };
    }

    /** The work is to be done again, not before this time. */
    Job requeue(Tx tx, Job job, boolean lost, Instant notBefore, Move move) {
        var next = job.with(job.progress().nextExecution(lost))
                .after(JobEvent.REQUEUE, move.at(), move.note())
                .dueAt(Optional.of(notBefore));
        JobRows.update(tx, job, next);
        answerLetter(tx, job);
        return next;
    }

    /** The job ends, and the run that it is a step of hears of it. */
    Job end(Tx tx, Job job, JobEvent event, Move move) {
        var ended = job.after(event, move.at(), move.note());
        JobRows.update(tx, job, ended);
        answerLetter(tx, job);
        audit(tx, ended, move);
        runs.afterJob(tx, ended, move.by(), move.at());
        return ended;
    }

    /** A human has to say how the job ended; one who has to already is told this too. */
    Job hold(Tx tx, Job job, Move move) {
        if (job.state() == JobState.UNKNOWN) {
            // It moves nowhere, so no state's name stands here.
            var told = job.noted(new TimelineEntry(move.at(), "result", move.note()));
            JobRows.update(tx, job, told);
            return told;
        }
        var held = job.after(JobEvent.LOSE, move.at(), move.note()).dueAt(Optional.empty());
        JobRows.update(tx, job, held);
        audit(tx, held, move);
        return held;
    }

    void deadLetter(Tx tx, Job job, String why, Instant now) {
        var letter = DeadLetter.of(job.tenant(), job.id(), job.spec().topic(), job.state(), why, now);
        tx.put(Tables.DEAD_LETTERS, letter.key(), letter);
    }

    // Whoever says how it ended, or that it is to go on, has dealt with the letter.
    static void answerLetter(Tx tx, Job before) {
        if (before.state() == JobState.UNKNOWN) {
            var key = new DeadLetter.Key(before.tenant(), before.id());
            tx.find(Tables.DEAD_LETTERS, key).ifPresent(letter -> tx.delete(Tables.DEAD_LETTERS, key));
        }
    }

    private static void audit(Tx tx, Job job, Move move) {
        var data = JsonObject.builder()
                .put("attempts", job.progress().attempts())
                .put("executions", job.progress().executions());
        move.note().members().forEach(data::put);
        Audit.append(
                tx,
                job.tenant(),
                new AuditEvent.Draft(
                        move.at(),
                        "job." + job.state().name().toLowerCase(Locale.ROOT),
                        move.by(),
                        job.id().value(),
                        Optional.of(job.origin().requestHash()),
                        Optional.empty(),
                        data.build()));
    }

    /** Whether a worker may have it: only then can a result come. */
    static boolean isStarted(Job job) {
        return job.state() == JobState.RUNNING || job.state() == JobState.UNKNOWN;
    }
}
