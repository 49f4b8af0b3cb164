package dev.nonbis.bench.admission;

import dev.nonbis.bench.load.LoadGenerator;
import dev.nonbis.bench.load.Span;
import dev.nonbis.bench.measure.Growth;
import dev.nonbis.bench.measure.PhaseFigures;
import dev.nonbis.bench.measure.Report;
import dev.nonbis.bench.measure.Rounds;
import dev.nonbis.bench.measure.Scenario;
import dev.nonbis.bench.measure.Stage;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.measure.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** Measures while ten thousand keys are in use, grows the store, measures again while all of its keys are. */
public final class AdmissionBench {

    private static final int GROWTH_POINTS = 40;
    private static final int KEYS_IN_USE = 10_000;

    private final Plan plan;
    private final Subject subject;
    private final AdmissionTraffic traffic;
    private final Consumer<String> progress;
    private final Optional<RawLimit> limit;
    private final List<Double> limits = new ArrayList<>();

    /** How much is measured. */
    public record Plan(int connections, int rounds, Duration perPhase, Duration warmUp, long keys) {

        Duration perRound() {
            return perPhase.dividedBy(rounds);
        }
    }

    public AdmissionBench(Plan plan, Subject subject, AdmissionTraffic traffic, Consumer<String> progress) {
        this(plan, subject, traffic, progress, Optional.empty());
    }

    /** A bench that also measures what the database alone can do, before and after the server on it. */
    public AdmissionBench(
            Plan plan, Subject subject, AdmissionTraffic traffic, Consumer<String> progress, Optional<RawLimit> limit) {
        this.limit = limit;
        this.plan = plan;
        this.subject = subject;
        this.traffic = traffic;
        this.progress = progress;
    }

    public Report run() throws IOException {
        try (var generator = LoadGenerator.connect(subject.api(), plan.connections())) {
            var scenario = traffic.scenario(subject.offersNoop());
            var rounds = new Rounds(generator, subject.probe());
            progress.accept("warming up");
            // Replays and mismatches need a key to name.
            rounds.run(traffic.fresh(), Span.ofRequests(1_000));
            traffic.repeatLast(KEYS_IN_USE);
            rounds.warmUp(traffic.warmUp(subject.offersNoop()), plan.warmUp());
            List<Stage> stages = new ArrayList<>();
            measureLimit();
            stages.add(stage("small store", () -> measured(rounds, scenario)));
            measureLimit();
            var growth = grow(rounds);
            if (!growth.isEmpty()) {
                var title = String.format(Locale.ROOT, "%,d keys", traffic.created());
                traffic.repeatLast(traffic.created());
                // A key that nobody has used for long is found in another way, whose code has hardly run so far.
                progress.accept("warming up: any key");
                rounds.warmUp(traffic.repeats(), plan.warmUp());
                stages.add(stage(title, () -> measured(rounds, scenario)));
            }
            return report(stages, growth);
        }
    }

    private void measureLimit() throws IOException {
        if (limit.isPresent()) {
            var words = limit.get().words();
            progress.accept("measuring: " + words);
            limits.add(limit.get().perSecond());
            progress.accept(String.format(Locale.ROOT, "%s: %,.0f/s", words, limits.getLast()));
        }
    }

    private List<PhaseFigures> measured(Rounds rounds, Scenario scenario) throws IOException {
        return rounds.measure(scenario, plan.rounds(), plan.perRound());
    }

    private Stage stage(String title, Measuring measuring) throws IOException {
        progress.accept("measuring: " + title);
        long before = traffic.created();
        var figures = measuring.figures();
        return new Stage(title, before, traffic.created(), figures);
    }

    /** A measurement that talks to the server. */
    private interface Measuring {
        List<PhaseFigures> figures() throws IOException;
    }

    private List<Growth> grow(Rounds rounds) throws IOException {
        List<Growth> growth = new ArrayList<>();
        long step = Math.max(1_000, plan.keys() / GROWTH_POINTS);
        while (traffic.created() < plan.keys()) {
            long more = Math.min(step, plan.keys() - traffic.created());
            var result = rounds.run(traffic.fresh(), Span.ofRequests(more));
            growth.add(new Growth(traffic.created(), result.perSecond()));
            progress.accept(String.format(Locale.ROOT, "%,d keys, %,.0f/s", traffic.created(), result.perSecond()));
        }
        return growth;
    }

    private Report report(List<Stage> stages, List<Growth> growth) throws IOException {
        var footprint = subject.footprint();
        var setting = new Report.Setting(
                plan.connections(),
                plan.rounds(),
                plan.perRound().toMillis() / 1e3,
                Runtime.getRuntime().availableProcessors(),
                subject.description()
                        + traffic.words()
                        + limit.map(raw -> limitWords(raw, stages)).orElse(""));
        var targets =
                limit.map(raw -> targetsAgainst(raw, stages, footprint)).orElseGet(() -> targets(stages, footprint));
        return new Report("admission", setting, stages, growth, footprint, targets);
    }

    private String limitWords(RawLimit raw, List<Stage> stages) {
        return String.format(
                Locale.ROOT,
                ", %,.0f %s a second with %d clients, of which fresh submissions reach %.0f%%",
                limitRate(),
                raw.words(),
                plan.connections(),
                100 * partOfLimit(stages));
    }

    private double partOfLimit(List<Stage> stages) {
        return stages.getFirst().phase("fresh").medianRate() / limitRate();
    }

    private double limitRate() {
        return limits.stream().mapToDouble(rate -> rate).average().orElseThrow();
    }

    private List<Target> targetsAgainst(RawLimit raw, List<Stage> stages, Report.Footprint footprint) {
        var targets = new ArrayList<Target>();
        raw.promised()
                .ifPresent(part -> targets.add(Target.atLeast(
                        "fresh submissions / " + raw.words(), part, OptionalDouble.of(partOfLimit(stages)))));
        targets.add(Target.atMost("server's peak resident memory, MiB", 512, footprint.peakResidentMib()));
        return targets;
    }

    private static List<Target> targets(List<Stage> stages, Report.Footprint footprint) {
        var small = stages.getFirst();
        List<Target> targets = new ArrayList<>();
        targets.add(Target.atLeast(
                "fresh submissions / no-op", 0.35, small.phase("fresh").medianRatio()));
        targets.add(
                Target.atLeast("replays / no-op", 0.70, small.phase("replay").medianRatio()));
        if (stages.size() > 1) {
            var large = stages.getLast();
            targets.add(
                    Target.atLeast("fresh, " + large.title() + " / small store", 0.80, kept("fresh", small, large)));
            targets.add(
                    Target.atLeast("replays, " + large.title() + " / small store", 0.80, kept("replay", small, large)));
        }
        targets.add(Target.atMost("server's peak resident memory, MiB", 512, footprint.peakResidentMib()));
        return targets;
    }

    // Minutes lie between the two, in which the machine may have become slower or faster: what the no-op took at the
    // time is the measure.
    private static OptionalDouble kept(String phase, Stage small, Stage large) {
        var before = small.phase(phase).medianRatio();
        var after = large.phase(phase).medianRatio();
        return before.isPresent() && after.isPresent()
                ? OptionalDouble.of(after.getAsDouble() / before.getAsDouble())
                : OptionalDouble.of(
                        large.phase(phase).medianRate() / small.phase(phase).medianRate());
    }
}
