package dev.nonbis.bench;

import dev.nonbis.bench.judge.Violation;
import dev.nonbis.bench.sim.Campaign;
import dev.nonbis.bench.sim.Variation;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "sim",
        description =
                "Simulates the plane, its clients and its faults, and checks every guarantee. A seed decides everything.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class SimCommand implements Callable<Integer> {

    private static final int TOLD = 10;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Option(names = "--seeds", description = "How many histories.")
    int seeds = 100;

    @Option(names = "--hours", description = "Hours of faults in each history; healing comes on top.")
    double hours = 1;

    @Option(names = "--from", description = "The first seed.")
    long from = 1;

    @Option(names = "--seed", description = "Runs this one history again.", showDefaultValue = Help.Visibility.NEVER)
    Optional<Long> seed = Optional.empty();

    @Option(names = "--trace", description = "With --seed: tells every step on standard output.")
    boolean trace;

    @Override
    public Integer call() {
        var campaign = new Campaign(Variation.USUAL, Duration.ofSeconds(Math.round(hours * 3600)));
        var out = spec.commandLine().getOut();
        return seed.isPresent() ? one(campaign, seed.get(), out) : many(campaign, out);
    }

    private int one(Campaign campaign, long which, PrintWriter out) {
        var violations = campaign.replay(which, trace ? out::println : line -> {});
        tell(which, violations, out);
        return violations.isEmpty() ? 0 : 1;
    }

    private int many(Campaign campaign, PrintWriter out) {
        long started = System.nanoTime();
        var report = campaign.run(from, seeds, broken -> {
            tell(broken.seed(), broken.violations(), out);
            out.flush();
        });
        double minutes = (System.nanoTime() - started) / 6e10;
        double simulated = report.simulated().toSeconds() / 3600.0;
        out.println(String.format(
                Locale.ROOT,
                "%d seeds, %.0f simulated hours, %d requests, %d seeds with violations; %.0f simulated hours a minute",
                report.seeds(),
                simulated,
                report.requests(),
                report.broken().size(),
                simulated / minutes));
        out.flush();
        return report.broken().isEmpty() ? 0 : 1;
    }

    private void tell(long which, List<Violation> violations, PrintWriter out) {
        violations.stream().limit(TOLD).forEach(violation -> out.println("seed " + which + ": " + violation));
        if (violations.size() > TOLD) {
            out.println("seed " + which + ": and " + (violations.size() - TOLD) + " more");
        }
        out.println(
                violations.isEmpty()
                        ? "seed " + which + ": every guarantee held"
                        : "again, step by step: ./nonbis sim --hours " + hours + " --seed " + which + " --trace");
        out.flush();
    }
}
