package dev.nonbis.bench.payments;

import dev.nonbis.bench.load.LoadGenerator;
import dev.nonbis.bench.load.Span;
import dev.nonbis.bench.measure.Report;
import dev.nonbis.bench.measure.Rounds;
import dev.nonbis.bench.measure.Stage;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.measure.Target;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** Measures fresh decisions, replays and conflicts, and the signature by itself. */
public final class PaymentBench {

    private static final Duration LONGEST_RUN = Duration.ofHours(2);

    private final Plan plan;
    private final Subject subject;
    private final PaymentTraffic traffic;
    private final Consumer<String> progress;

    /** How much is measured. */
    public record Plan(int connections, int rounds, Duration perPhase, Duration warmUp) {

        Duration perRound() {
            return perPhase.dividedBy(rounds);
        }
    }

    public PaymentBench(Plan plan, Subject subject, Consumer<String> progress) {
        this.plan = plan;
        this.subject = subject;
        this.traffic =
                new PaymentTraffic(subject, Instant.now().plus(LONGEST_RUN).truncatedTo(ChronoUnit.SECONDS));
        this.progress = progress;
    }

    public Report run() throws IOException {
        try (var generator = LoadGenerator.connect(subject.api(), plan.connections())) {
            var scenario = traffic.scenario(subject.offersNoop());
            var rounds = new Rounds(generator, subject.probe());
            progress.accept("warming up");
            // Replays and conflicts need a key to name.
            rounds.run(traffic.fresh(), Span.ofRequests(1_000));
            rounds.warmUp(scenario, plan.warmUp());
            progress.accept("measuring");
            long before = traffic.decided();
            var figures = rounds.measure(scenario, plan.rounds(), plan.perRound());
            return report(new Stage("payments", before, traffic.decided(), figures));
        }
    }

    private Report report(Stage stage) throws IOException {
        var footprint = subject.footprint();
        var setting = new Report.Setting(
                plan.connections(),
                plan.rounds(),
                plan.perRound().toMillis() / 1e3,
                Runtime.getRuntime().availableProcessors(),
                subject.description());
        return new Report("payments", setting, List.of(stage), List.of(), footprint, targets(stage, footprint));
    }

    private List<Target> targets(Stage stage, Report.Footprint footprint) {
        progress.accept("signing");
        double signature = SignatureCost.micros();
        var fresh = stage.phase("fresh");
        progress.accept("one signature alone takes %.0f µs of a processor".formatted(signature));
        var inSignatures = fresh.serverCpuMicros().isPresent()
                ? OptionalDouble.of(fresh.serverCpuMicros().getAsDouble() / signature)
                : OptionalDouble.empty();
        return List.of(
                Target.atLeast("replays / no-op", 0.60, stage.phase("replay").medianRatio()),
                Target.atMost("a fresh decision / its signature alone, processor time", 2.0, inSignatures),
                Target.atMost("server's peak resident memory, MiB", 512, footprint.peakResidentMib()));
    }
}
