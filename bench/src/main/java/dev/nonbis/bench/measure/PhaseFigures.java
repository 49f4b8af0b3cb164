package dev.nonbis.bench.measure;

import dev.nonbis.bench.load.LoadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** What one phase did over all rounds. */
public final class PhaseFigures {

    private final String name;
    private final List<Double> rates = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();
    private final Histogram latencyNanos = new Histogram(3);
    private Costs costs =
            new Costs(OptionalDouble.of(0), OptionalDouble.of(0), OptionalDouble.of(0), OptionalDouble.of(0));

    PhaseFigures(String name) {
        this.name = name;
    }

    void add(LoadResult result, Costs spent) {
        rates.add(result.perSecond());
        latencyNanos.add(result.latencyNanos());
        costs = costs.plus(spent);
    }

    /** The phase's rate of one round in terms of the baseline's rate around it. */
    void addRatio(double ratio) {
        ratios.add(ratio);
    }

    public String name() {
        return name;
    }

    public List<Double> rates() {
        return List.copyOf(rates);
    }

    public long operations() {
        return latencyNanos.getTotalCount();
    }

    public double medianRate() {
        return Median.of(rates).orElse(0);
    }

    public OptionalDouble medianRatio() {
        return Median.of(ratios);
    }

    public double latencyMillis(double percentile) {
        return latencyNanos.getValueAtPercentile(percentile) / 1e6;
    }

    /** On SQLite in WAL mode with synchronous=FULL a commit is one fsync of the log. */
    public OptionalDouble commitsPerThousand() {
        return each(costs.commits(), 1_000);
    }

    public OptionalDouble meanBatch() {
        var commits = costs.commits().orElse(0);
        return commits > 0 && costs.batched().isPresent()
                ? OptionalDouble.of(costs.batched().getAsDouble() / commits)
                : OptionalDouble.empty();
    }

    public OptionalDouble serverCpuMicros() {
        return each(costs.serverCpuMicros(), 1);
    }

    public OptionalDouble generatorCpuMicros() {
        return each(costs.generatorCpuMicros(), 1);
    }

    /** The share of the machine's processors that server and generator used together; the rest was idle or somebody else's. */
    public OptionalDouble busy(int processors) {
        var server = serverCpuMicros();
        var generator = generatorCpuMicros();
        return server.isPresent() && generator.isPresent()
                ? OptionalDouble.of(medianRate() * (server.getAsDouble() + generator.getAsDouble()) / 1e6 / processors)
                : OptionalDouble.empty();
    }

    private OptionalDouble each(OptionalDouble total, double scale) {
        return total.isPresent() && operations() > 0
                ? OptionalDouble.of(total.getAsDouble() * scale / operations())
                : OptionalDouble.empty();
    }
}
