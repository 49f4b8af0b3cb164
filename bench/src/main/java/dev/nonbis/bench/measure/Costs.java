package dev.nonbis.bench.measure;

import dev.nonbis.bench.process.Metrics;
import dev.nonbis.bench.process.ProcessFacts;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the operations of a phase cost together; empty where nobody can tell. */
record Costs(
        OptionalDouble commits,
        OptionalDouble batched,
        OptionalDouble serverCpuMicros,
        OptionalDouble generatorCpuMicros) {

    private static final String COMMITS = "nonbis_store_commit_seconds_count";
    private static final String BATCH_SUM = "nonbis_store_batch_size_sum";

    static Costs between(Probe.Reading before, Probe.Reading after) {
        return new Costs(
                grown(before, after, COMMITS),
                grown(before, after, BATCH_SUM),
                cpu(before.server(), after.server()),
                cpu(Optional.of(before.generator()), Optional.of(after.generator())));
    }

    private static OptionalDouble grown(Probe.Reading before, Probe.Reading after, String counter) {
        var earlier = before.metrics().orElse(new Metrics(Map.of()));
        return after.metrics().map(m -> m.since(earlier, counter)).orElse(OptionalDouble.empty());
    }

    private static OptionalDouble cpu(Optional<ProcessFacts> before, Optional<ProcessFacts> after) {
        var from = before.flatMap(ProcessFacts::cpu);
        var to = after.flatMap(ProcessFacts::cpu);
        return from.isPresent() && to.isPresent()
                ? OptionalDouble.of(to.get().minus(from.get()).toNanos() / 1e3)
                : OptionalDouble.empty();
    }

    Costs plus(Costs other) {
        return new Costs(
                sum(commits, other.commits),
                sum(batched, other.batched),
                sum(serverCpuMicros, other.serverCpuMicros),
                sum(generatorCpuMicros, other.generatorCpuMicros));
    }

    private static OptionalDouble sum(OptionalDouble a, OptionalDouble b) {
        return a.isPresent() && b.isPresent()
                ? OptionalDouble.of(a.getAsDouble() + b.getAsDouble())
                : OptionalDouble.empty();
    }
}
