package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.DispatchHistory.End;
import dev.nonbis.bench.torture.DispatchHistory.Execution;
import dev.nonbis.bench.torture.DispatchHistory.Plan;
import dev.nonbis.bench.torture.Ledger.Effect;
import dev.nonbis.bench.torture.Ledger.Report;
import dev.nonbis.bench.torture.Violation.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges a dispatch campaign: what the server tells, what the world saw and what the workers heard must be one story. */
final class DispatchCheck {

    private final DispatchHistory history;
    private final Map<String, List<Effect>> effects;
    private final Map<String, List<Report>> reports;
    private final Map<String, List<End>> ends;
    private final List<Violation> violations = new ArrayList<>();

    private DispatchCheck(DispatchHistory history) {
        this.history = history;
        this.effects = history.effects().stream().collect(Collectors.groupingBy(Effect::job));
        this.reports = history.reports().stream().collect(Collectors.groupingBy(Report::job));
        this.ends = history.ends().stream().collect(Collectors.groupingBy(End::job));
    }

    static List<Violation> check(DispatchHistory history) {
        var check = new DispatchCheck(history);
        history.submitted().forEach(check::job);
        check.nothingElse();
        return check.violations;
    }

    private void job(String job, Plan plan) {
        String state = history.states().getOrDefault(job, "nowhere");
        var ended = ends.getOrDefault(job, List.of());
        expect(
                state.equals(plan == Plan.SUCCEEDS ? "SUCCEEDED" : "FAILED"),
                Rule.EVERY_JOB_ENDS,
                job + " was planned as " + plan + " and is " + state);
        expect(ended.size() == 1, Rule.ONE_RESULT_PER_JOB, job + " ended " + ended.size() + " times: " + ended);
        effects(job, plan);
        executions(job);
        if (ended.size() == 1) {
            accepted(job, ended.getFirst());
        }
    }

    private void effects(String job, Plan plan) {
        var calls = effects.getOrDefault(job, List.of());
        var keys = calls.stream().map(Effect::key).collect(Collectors.toSet());
        expect(
                keys.size() == (plan == Plan.SUCCEEDS ? 1 : 0),
                Rule.ONE_EFFECT_PER_JOB,
                job + " was planned as " + plan + " and had effects under " + keys);
    }

    // An execution is given to one worker, and a worker does it once.
    private void executions(String job) {
        var byFence = effects.getOrDefault(job, List.of()).stream().collect(Collectors.groupingBy(Effect::fence));
        byFence.forEach((fence, calls) ->
                expect(calls.size() == 1, Rule.ONE_WORKER_PER_EXECUTION, job + " was done more than once: " + calls));
    }

    private void accepted(String job, End end) {
        int highest = effects.getOrDefault(job, List.of()).stream()
                .mapToInt(Effect::fence)
                .max()
                .orElse(0);
        end.by()
                .ifPresent(by -> expect(
                        by.fence() >= highest,
                        Rule.ONE_RESULT_PER_JOB,
                        job + " ended with the result of " + by + " though execution " + highest + " had begun"));
        for (var report : reports.getOrDefault(job, List.of())) {
            if (report.isAcknowledged() && !report.status().equals("retryable")) {
                expect(
                        end.by()
                                .filter(new Execution(report.fence(), report.worker())::equals)
                                .isPresent(),
                        Rule.ACKNOWLEDGED_IS_KEPT,
                        "the server took " + report + " and tells " + end);
            }
        }
    }

    private void nothingElse() {
        var known = history.submitted().keySet();
        unexplained(history.states().keySet(), known, "the server lists jobs that nobody submitted: ");
        unexplained(effects.keySet(), known, "there are effects of jobs that nobody submitted: ");
        unexplained(ends.keySet(), known, "the audit log tells of jobs that nobody submitted: ");
        var first = history.effects().stream()
                .collect(Collectors.groupingBy(Effect::key, Collectors.mapping(Effect::job, Collectors.toSet())));
        first.forEach((key, jobs) ->
                expect(jobs.size() == 1, Rule.ONE_EFFECT_PER_JOB, key + " is the key of several jobs: " + jobs));
    }

    private void unexplained(Set<String> found, Set<String> known, String what) {
        var others = found.stream().filter(job -> !known.contains(job)).limit(5).toList();
        expect(others.isEmpty(), Rule.NOTHING_UNEXPLAINED, what + others);
    }

    private void expect(boolean held, Rule rule, String evidence) {
        if (!held) {
            violations.add(new Violation(rule, evidence));
        }
    }
}
