package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Guarantee;
import dev.nonbis.bench.judge.Violation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/** Many simulations. */
public final class Campaign {

    private final Variation variation;
    private final Duration length;
    private final Configuration configuration = Configuration.usual();

    public Campaign(Variation variation, Duration length) {
        this.variation = variation;
        this.length = length;
    }

    /** A seed under which a promise was broken. */
    public record Broken(long seed, List<Violation> violations) {}

    /** What came of all of them. */
    public record Report(int seeds, Duration simulated, long requests, List<Broken> broken) {}

    /** Several at a time, as many as there are processors; what each of them does is decided by its seed all the same. */
    public Report run(long firstSeed, int seeds, Consumer<Broken> told) {
        var simulated = Duration.ZERO;
        long requests = 0;
        var broken = new ArrayList<Broken>();
        var underWay = new ArrayDeque<FutureTask<Simulation.Outcome>>();
        int several = Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < seeds || !underWay.isEmpty(); i++) {
            if (i < seeds) {
                underWay.add(start(firstSeed + i, Optional.empty()));
            }
            if (underWay.size() >= several || i >= seeds) {
                var outcome = await(underWay.remove());
                simulated = simulated.plus(outcome.simulated());
                requests += outcome.requests();
                if (!outcome.violations().isEmpty()) {
                    var found = new Broken(outcome.seed(), outcome.violations());
                    broken.add(found);
                    told.accept(found);
                }
            }
        }
        return new Report(seeds, simulated, requests, broken);
    }

    /** Seed after seed until one breaks this promise; empty when none of these does. */
    public Optional<Broken> firstBreaking(Guarantee guarantee, long firstSeed, int most) {
        for (int i = 0; i < most; i++) {
            var outcome = await(start(firstSeed + i, Optional.empty()));
            if (outcome.violations().stream().anyMatch(violation -> violation.guarantee() == guarantee)) {
                return Optional.of(new Broken(outcome.seed(), outcome.violations()));
            }
        }
        return Optional.empty();
    }

    /** The same history again, told step by step. */
    public List<Violation> replay(long seed, Consumer<String> reader) {
        return await(start(seed, Optional.of(reader))).violations();
    }

    // Handing the baton between virtual threads is cheaper than waking a thread of the system each time.
    private FutureTask<Simulation.Outcome> start(long seed, Optional<Consumer<String>> reader) {
        var task = new FutureTask<>(() -> new Simulation(seed, length, configuration, variation, reader).run());
        Thread.startVirtualThread(task);
        return task;
    }

    private static Simulation.Outcome await(FutureTask<Simulation.Outcome> task) {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the simulation itself failed", e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody may interrupt a simulation", e);
        }
    }
}
