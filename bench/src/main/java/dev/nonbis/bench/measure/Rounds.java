package dev.nonbis.bench.measure;

import dev.nonbis.bench.load.LoadGenerator;
import dev.nonbis.bench.load.LoadResult;
import dev.nonbis.bench.load.Phase;
import dev.nonbis.bench.load.Span;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs a scenario's phases again and again in turn, so that a machine that gets slower or faster meanwhile favours none of them. */
public final class Rounds {

    private static final int WARM_UP_TURNS = 8;

    private final LoadGenerator generator;
    private final Probe probe;

    public Rounds(LoadGenerator generator, Probe probe) {
        this.generator = generator;
        this.probe = probe;
    }

    /**
     * Brings every phase's code to its final speed without counting anything. The phases take turns: what is compiled for one of them is
     * often compiled anew when the next begins.
     */
    public void warmUp(Scenario scenario, Duration each) throws IOException {
        for (int turn = 0; turn < WARM_UP_TURNS; turn++) {
            for (var phase : scenario.baseline().stream().toList()) {
                run(phase, span(phase, each.dividedBy(WARM_UP_TURNS)));
            }
            for (var phase : scenario.phases()) {
                run(phase, span(phase, each.dividedBy(WARM_UP_TURNS)));
            }
        }
    }

    /** Measures; the baseline comes first in the list if there is one. */
    public List<PhaseFigures> measure(Scenario scenario, int rounds, Duration each) throws IOException {
        var baseline = scenario.baseline().map(phase -> new PhaseFigures(phase.name()));
        var figures = scenario.phases().stream()
                .map(phase -> new PhaseFigures(phase.name()))
                .toList();
        for (int round = 0; round < rounds; round++) {
            measureBaseline(scenario, baseline, each);
            for (int i = 0; i < figures.size(); i++) {
                measure(scenario.phases().get(i), figures.get(i), each);
            }
        }
        measureBaseline(scenario, baseline, each);
        baseline.ifPresent(b -> addRatios(b, figures));
        List<PhaseFigures> all = new ArrayList<>(baseline.stream().toList());
        all.addAll(figures);
        return all;
    }

    private void measureBaseline(Scenario scenario, Optional<PhaseFigures> figures, Duration each) throws IOException {
        if (scenario.baseline().isPresent() && figures.isPresent()) {
            measure(scenario.baseline().get(), figures.get(), each);
        }
    }

    private void measure(Phase phase, PhaseFigures figures, Duration each) throws IOException {
        var before = probe.read();
        var result = run(phase, span(phase, each));
        figures.add(result, Costs.between(before, probe.read()));
    }

    private static Span span(Phase phase, Duration each) {
        return new Span(each, phase.available().getAsLong());
    }

    /** Runs one phase and insists that every answer was right. */
    public LoadResult run(Phase phase, Span span) throws IOException {
        return WrongAnswers.none(generator.run(phase, span));
    }

    /** Each round stands between two baselines; their mean is what the machine could do just then. */
    private static void addRatios(PhaseFigures baseline, List<PhaseFigures> figures) {
        var base = baseline.rates();
        for (var phase : figures) {
            var rates = phase.rates();
            for (int round = 0; round < rates.size(); round++) {
                phase.addRatio(rates.get(round) * 2 / (base.get(round) + base.get(round + 1)));
            }
        }
    }
}
