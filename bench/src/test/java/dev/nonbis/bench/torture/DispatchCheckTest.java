package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.torture.DispatchHistory.End;
import dev.nonbis.bench.torture.DispatchHistory.Execution;
import dev.nonbis.bench.torture.DispatchHistory.Plan;
import dev.nonbis.bench.torture.Ledger.Effect;
import dev.nonbis.bench.torture.Ledger.Report;
import dev.nonbis.bench.torture.Violation.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The judge of a dispatch campaign finds each kind of lie. */
final class DispatchCheckTest {

    private final Map<String, Plan> submitted = new HashMap<>(Map.of("a", Plan.SUCCEEDS, "b", Plan.FAILS));
    private final Map<String, String> states = new HashMap<>(Map.of("a", "SUCCEEDED", "b", "FAILED"));
    private final List<End> ends =
            new ArrayList<>(List.of(end("a", "job.succeeded", 2, "w2"), end("b", "job.failed", 1, "w1")));
    private final List<Effect> effects =
            new ArrayList<>(List.of(new Effect("key-a", "a", 1, "w1"), new Effect("key-a", "a", 2, "w2")));
    private final List<Report> reports = new ArrayList<>(List.of(
            new Report("a", 1, "w1", "succeeded", "stale_fence"),
            new Report("a", 2, "w2", "succeeded", "recorded"),
            new Report("b", 1, "w1", "failed", "already_recorded")));

    private static End end(String job, String type, int fence, String worker) {
        return new End(job, type, Optional.of(new Execution(fence, worker)));
    }

    private void expect(Rule... rules) {
        var found = DispatchCheck.check(new DispatchHistory(submitted, states, ends, effects, reports));
        assertThat(found.stream().map(Violation::rule)).containsExactlyInAnyOrder(rules);
    }

    @Test
    void work_done_again_under_a_higher_fence_and_the_same_key_is_as_promised() {
        expect();
    }

    @Test
    void what_a_human_decided_names_no_worker() {
        ends.set(0, new End("a", "job.succeeded", Optional.empty()));
        reports.removeIf(report -> report.job().equals("a"));

        expect();
    }

    @Test
    void a_job_that_did_not_end_is_found() {
        states.put("a", "RUNNING");
        ends.removeFirst();

        expect(Rule.EVERY_JOB_ENDS, Rule.ONE_RESULT_PER_JOB);
    }

    @Test
    void a_job_that_is_lost_is_found() {
        states.remove("b");

        expect(Rule.EVERY_JOB_ENDS);
    }

    @Test
    void two_ends_of_one_job_are_found() {
        ends.add(end("b", "job.failed", 1, "w1"));

        expect(Rule.ONE_RESULT_PER_JOB);
    }

    @Test
    void two_keys_of_one_job_are_two_effects() {
        effects.set(1, new Effect("another-key", "a", 2, "w2"));

        expect(Rule.ONE_EFFECT_PER_JOB);
    }

    @Test
    void success_without_an_effect_is_found() {
        effects.clear();

        expect(Rule.ONE_EFFECT_PER_JOB);
    }

    @Test
    void one_key_for_two_jobs_is_found() {
        submitted.put("c", Plan.SUCCEEDS);
        states.put("c", "SUCCEEDED");
        ends.add(end("c", "job.succeeded", 1, "w1"));
        effects.add(new Effect("key-a", "c", 1, "w1"));

        expect(Rule.ONE_EFFECT_PER_JOB);
    }

    @Test
    void one_execution_by_two_workers_is_found() {
        effects.add(new Effect("key-a", "a", 2, "w3"));

        expect(Rule.ONE_WORKER_PER_EXECUTION);
    }

    @Test
    void a_result_from_below_the_highest_fence_is_found() {
        ends.set(0, end("a", "job.succeeded", 1, "w1"));
        reports.removeIf(report -> report.job().equals("a"));

        expect(Rule.ONE_RESULT_PER_JOB);
    }

    @Test
    void a_result_that_was_acknowledged_and_is_not_the_one_that_counts_is_found() {
        reports.set(0, new Report("a", 1, "w1", "succeeded", "recorded"));

        expect(Rule.ACKNOWLEDGED_IS_KEPT);
    }

    @Test
    void a_retryable_result_that_was_acknowledged_is_not_the_one_that_counts() {
        reports.set(0, new Report("a", 1, "w1", "retryable", "recorded"));

        expect();
    }

    @Test
    void jobs_and_effects_from_nowhere_are_found() {
        states.put("x", "SUCCEEDED");
        effects.add(new Effect("key-y", "y", 1, "w1"));

        expect(Rule.NOTHING_UNEXPLAINED, Rule.NOTHING_UNEXPLAINED);
    }
}
