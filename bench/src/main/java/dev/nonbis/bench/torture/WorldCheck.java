package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.Violation.Rule;
import dev.nonbis.bench.torture.World.Event;
import dev.nonbis.bench.torture.World.Known;
import dev.nonbis.bench.torture.World.Listed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what exists with what was acknowledged and with what the audit says, in every direction. */
final class WorldCheck {

    private static final String CANCELLED = "CANCELLED";

    private final World world;
    private final Known known;
    private final List<Violation> violations = new ArrayList<>();

    private WorldCheck(World world, Known known) {
        this.world = world;
        this.known = known;
    }

    static List<Violation> check(World world, Known known) {
        return new WorldCheck(world, known).check();
    }

    private List<Violation> check() {
        var jobs = ids(world.jobs());
        var runs = ids(world.runs());
        listedOnce("job", world.jobs(), jobs);
        listedOnce("run", world.runs(), runs);
        kept("job", known.jobs(), jobs);
        kept("run", known.runs(), runs);
        explainedRuns();
        explainedJobs(runs);
        created(Operation.JOBS, jobs);
        created(Operation.RUNS, runs);
        noEventWithoutObject(jobs, runs);
        cancels();
        return violations;
    }

    private void listedOnce(String kind, List<Listed> listed, Set<String> distinct) {
        if (listed.size() != distinct.size()) {
            broken(Rule.ONE_ANSWER_PER_KEY, listed.size() - distinct.size() + " of the " + kind + "s are listed twice");
        }
    }

    private void kept(String kind, Collection<String> acknowledged, Set<String> listed) {
        acknowledged.stream()
                .filter(id -> !listed.contains(id))
                .forEach(id ->
                        broken(Rule.ACKNOWLEDGED_IS_KEPT, "the acknowledged " + kind + " " + id + " is not listed"));
    }

    private void explainedRuns() {
        world.runs().stream()
                .filter(run -> !known.runs().contains(run.id()))
                .forEach(run -> broken(Rule.NOTHING_UNEXPLAINED, "no answer ever named the run " + run.id()));
    }

    /** A job is either what a key's answer named, or the first step of a run, one each. */
    private void explainedJobs(Set<String> runs) {
        Map<String, Integer> stepsByRun = new HashMap<>();
        for (var job : world.jobs()) {
            if (known.jobs().contains(job.id())) {
                continue;
            }
            if (job.run().filter(runs::contains).isEmpty()) {
                broken(Rule.NOTHING_UNEXPLAINED, "no answer ever named the job " + job.id() + " and no run owns it");
            } else {
                stepsByRun.merge(job.run().get(), 1, Integer::sum);
            }
        }
        runs.stream()
                .filter(run -> stepsByRun.getOrDefault(run, 0) != 1)
                .forEach(run -> broken(
                        Rule.NOTHING_UNEXPLAINED,
                        "run " + run + " should have one first step and has " + stepsByRun.getOrDefault(run, 0)));
    }

    private void created(Operation operation, Set<String> listed) {
        Map<String, Integer> events = new HashMap<>();
        world.events().stream()
                .filter(event -> event.type().equals(operation.creatingEvent()))
                .forEach(event -> events.merge(event.subject(), 1, Integer::sum));
        listed.stream()
                .filter(id -> events.getOrDefault(id, 0) != 1)
                .forEach(id -> broken(
                        Rule.ONE_AUDIT_EVENT_PER_EFFECT,
                        id + " has " + events.getOrDefault(id, 0) + " events " + operation.creatingEvent()));
    }

    private void noEventWithoutObject(Set<String> jobs, Set<String> runs) {
        Set<Event> cancels = new HashSet<>();
        for (var event : world.events()) {
            var subject = event.subject();
            if ((subject.startsWith("job_") && !jobs.contains(subject))
                    || (subject.startsWith("run_") && !runs.contains(subject))) {
                broken(Rule.ONE_AUDIT_EVENT_PER_EFFECT, event.type() + " of " + subject + ", which does not exist");
            }
            if (event.type().endsWith(".cancelled") && !cancels.add(event)) {
                broken(Rule.ONE_AUDIT_EVENT_PER_EFFECT, event.type() + " of " + subject + " twice");
            }
        }
    }

    private void cancels() {
        List<Listed> all = new ArrayList<>(world.runs());
        world.jobs().stream().filter(job -> job.run().isEmpty()).forEach(all::add);
        for (var listed : all) {
            boolean cancelled = listed.state().equals(CANCELLED);
            if (!cancelled && known.cancelled().contains(listed.id())) {
                broken(Rule.ACKNOWLEDGED_IS_KEPT, listed.id() + " was cancelled and is " + listed.state());
            }
            if (cancelled && !known.cancelSent().contains(listed.id())) {
                broken(Rule.NOTHING_UNEXPLAINED, listed.id() + " is cancelled and nobody asked for it");
            }
        }
    }

    private void broken(Rule rule, String evidence) {
        violations.add(new Violation(rule, world.tenant() + ": " + evidence));
    }

    private static Set<String> ids(List<Listed> listed) {
        Set<String> ids = new HashSet<>();
        listed.forEach(l -> ids.add(l.id()));
        return ids;
    }
}
