package dev.nonbis.core.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.TopicRules.LostWorker;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Progress;
import dev.nonbis.core.job.Progress.Counts;
import dev.nonbis.core.job.Progress.Intent;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.reconcile.ReconcileRules.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReconcileRulesTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    /** Every state, with each thing that matters to it: due, deadline, intent, attempts, what is outstanding, the topic's rule. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PENDING    | due  | -    | published | left | no  | retry | Leave[]",
                "PENDING    | due  | late | published | left | no  | retry | TimeOut[]",
                "SCHEDULED  | due  | -    | published | left | no  | retry | Leave[]",
                "SCHEDULED  | due  | late | published | left | no  | retry | TimeOut[]",
                "SCHEDULED  | due  | late | published | left | yes | retry | Hold[why=deadline_passed, outOfAttempts=false]",
                "DISPATCHED | soon | -    | published | left | no  | retry | Leave[]",
                "DISPATCHED | soon | -    | owed      | left | no  | retry | Leave[]",
                "DISPATCHED | due  | -    | owed      | left | no  | retry | TakeOver[]",
                "DISPATCHED | due  | -    | owed      | out  | no  | retry | TakeOver[]",
                "DISPATCHED | due  | -    | published | left | no  | retry | Requeue[why=not_started, lost=false]",
                "DISPATCHED | due  | -    | published | left | no  | hold  | Requeue[why=not_started, lost=false]",
                "DISPATCHED | due  | -    | published | out  | no  | retry | Fail[why=not_started]",
                "DISPATCHED | due  | -    | published | out  | yes | retry | Hold[why=not_started, outOfAttempts=true]",
                "DISPATCHED | soon | late | published | left | no  | retry | TimeOut[]",
                "DISPATCHED | soon | late | owed      | left | no  | retry | TimeOut[]",
                "DISPATCHED | soon | late | published | left | yes | retry | Hold[why=deadline_passed, outOfAttempts=false]",
                "RUNNING    | soon | -    | published | left | no  | retry | Leave[]",
                "RUNNING    | soon | late | published | left | no  | retry | Leave[]",
                "RUNNING    | due  | -    | published | left | no  | retry | Requeue[why=worker_lost, lost=true]",
                "RUNNING    | due  | -    | published | out  | no  | retry | Hold[why=worker_lost, outOfAttempts=true]",
                "RUNNING    | due  | -    | published | left | no  | hold  | Hold[why=worker_lost, outOfAttempts=false]",
                "APPROVAL   | due  | late | published | left | no  | retry | Leave[]",
                "UNKNOWN    | due  | late | published | left | yes | retry | Leave[]",
                "SUCCEEDED  | due  | late | published | out  | no  | retry | Leave[]",
                "FAILED     | due  | late | published | out  | no  | retry | Leave[]",
                "TIMEOUT    | due  | late | published | out  | no  | retry | Leave[]",
                "CANCELLED  | due  | late | published | out  | no  | retry | Leave[]",
                "DENIED     | due  | late | published | out  | no  | retry | Leave[]",
            })
    void time_makes_of_a_job_what_the_table_says(
            JobState state,
            String due,
            String deadline,
            String intent,
            String attempts,
            String outstanding,
            String lostWorker,
            String expected) {
        var progress = new Progress(
                new Counts(attempts.equals("out") ? 3 : 2, 0, 1, 1, 1, 0),
                Optional.of(new Intent(1, intent.equals("published"))),
                Optional.empty(),
                outstanding.equals("yes"),
                Optional.empty());
        var job = job(state, due.equals("due") ? NOW : NOW.plusMillis(1), deadline.equals("late"), progress);
        var rules = new TopicRules(
                Duration.ofMinutes(5),
                Duration.ofMinutes(15),
                3,
                lostWorker.equals("hold") ? LostWorker.HOLD : LostWorker.RETRY);

        assertThat(ReconcileRules.rule(job, rules, NOW).toString()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "1, 3"})
    void forgiven_attempts_do_not_count(int forgiven, int max) {
        var counts = new Counts(max, forgiven, 1, 1, 1, 0);
        var progress = new Progress(counts, Optional.empty(), Optional.empty(), false, Optional.empty());

        assertThat(progress.hasAttemptsLeft(max)).isEqualTo(forgiven > 0);
    }

    @ParameterizedTest
    @CsvSource({"true, Hold", "false, Fail"})
    void out_of_attempts_is_failed_only_when_nothing_is_outstanding(boolean outstanding, String expected) {
        var progress = new Progress(
                new Counts(3, 0, 1, 1, 1, 0), Optional.empty(), Optional.empty(), outstanding, Optional.empty());
        Action action = ReconcileRules.outOfAttempts(job(JobState.SCHEDULED, NOW, false, progress), "x");

        assertThat(action.getClass().getSimpleName()).isEqualTo(expected);
    }

    private static Job job(JobState state, Instant due, boolean late, Progress progress) {
        var spec =
                new Job.Spec("job.default", Map.of(), late ? Optional.of(1000L) : Optional.empty(), Optional.empty());
        var origin = new Job.Origin("alice", Trace.of("t"), "h", NOW.minusSeconds(1), Optional.empty());
        return new Job(
                new JobId("job_01kjmrc7g04t9w2e6x8b1n5q7z"),
                new TenantId("acme"),
                spec,
                origin,
                state,
                Optional.of(due),
                progress,
                Duplicates.NONE,
                new Timeline(List.of()));
    }
}
