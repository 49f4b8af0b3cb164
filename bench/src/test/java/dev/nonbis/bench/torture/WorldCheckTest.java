package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.torture.Violation.Rule;
import dev.nonbis.bench.torture.World.Event;
import dev.nonbis.bench.torture.World.Known;
import dev.nonbis.bench.torture.World.Listed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class WorldCheckTest {

    private final List<Listed> jobs = new ArrayList<>(List.of(
            new Listed("job_1", "PENDING", Optional.empty()), new Listed("job_step", "PENDING", Optional.of("run_1"))));
    private final List<Listed> runs = new ArrayList<>(List.of(new Listed("run_1", "RUNNING", Optional.empty())));
    private final List<Event> events = new ArrayList<>(List.of(
            new Event("workflow.put", "torture"),
            new Event("job.submitted", "job_1"),
            new Event("run.started", "run_1"),
            new Event("job.submitted", "job_step")));
    private final Set<String> knownJobs = new HashSet<>(Set.of("job_1"));
    private final Set<String> cancelSent = new HashSet<>();
    private final Set<String> cancelled = new HashSet<>();

    @Test
    void a_world_that_agrees_with_itself_is_fine() {
        assertThat(check()).isEmpty();
    }

    @Test
    void an_acknowledged_job_that_is_not_listed_was_lost() {
        knownJobs.add("job_2");

        assertThat(check()).containsExactly(Rule.ACKNOWLEDGED_IS_KEPT);
    }

    @Test
    void a_job_that_no_answer_named_is_a_second_effect() {
        jobs.add(new Listed("job_2", "PENDING", Optional.empty()));
        events.add(new Event("job.submitted", "job_2"));

        assertThat(check()).containsExactly(Rule.NOTHING_UNEXPLAINED);
    }

    @Test
    void a_run_that_no_answer_named_is_a_second_effect() {
        runs.add(new Listed("run_2", "RUNNING", Optional.empty()));
        jobs.add(new Listed("job_step2", "PENDING", Optional.of("run_2")));
        events.add(new Event("run.started", "run_2"));
        events.add(new Event("job.submitted", "job_step2"));

        assertThat(check()).containsExactly(Rule.NOTHING_UNEXPLAINED);
    }

    @Test
    void a_run_has_its_first_step_exactly_once() {
        jobs.add(new Listed("job_again", "PENDING", Optional.of("run_1")));
        events.add(new Event("job.submitted", "job_again"));

        assertThat(check()).containsExactly(Rule.NOTHING_UNEXPLAINED);
    }

    @Test
    void a_job_without_its_event_is_found() {
        events.remove(new Event("job.submitted", "job_1"));

        assertThat(check()).containsExactly(Rule.ONE_AUDIT_EVENT_PER_EFFECT);
    }

    @Test
    void an_event_written_twice_is_found() {
        events.add(new Event("run.started", "run_1"));

        assertThat(check()).containsExactly(Rule.ONE_AUDIT_EVENT_PER_EFFECT);
    }

    @Test
    void an_event_without_its_object_is_found() {
        events.add(new Event("job.submitted", "job_9"));

        assertThat(check()).containsExactly(Rule.ONE_AUDIT_EVENT_PER_EFFECT);
    }

    @Test
    void an_acknowledged_cancel_that_did_not_stay_was_lost() {
        cancelSent.add("run_1");
        cancelled.add("run_1");

        assertThat(check()).containsExactly(Rule.ACKNOWLEDGED_IS_KEPT);
    }

    @Test
    void a_cancel_that_nobody_sent_is_unexplained() {
        runs.set(0, new Listed("run_1", "CANCELLED", Optional.empty()));

        assertThat(check()).containsExactly(Rule.NOTHING_UNEXPLAINED);
    }

    private List<Rule> check() {
        var known = new Known(knownJobs, Set.of("run_1"), cancelSent, cancelled);
        return WorldCheck.check(new World("acme", jobs, runs, events), known).stream()
                .map(Violation::rule)
                .toList();
    }
}
