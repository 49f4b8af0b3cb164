package dev.nonbis.bench;

import dev.nonbis.bench.approvals.ApprovalBench;
import dev.nonbis.bench.approvals.ApprovalTraffic;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "approvals",
        description = "Decisions, repeated decisions and contrary ones against a no-op.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class ApprovalsCommand implements Callable<Integer> {

    private static final int QUICK_JOBS = 8_000;
    // One credential submits and decides: that nobody decides about their own is a comparison of two words.
    private static final String CONFIG = "approvals: {allow_self: true}\n";
    private static final String POLICY = """
            jobs:
              default: allow
              rules:
                - {id: ask, when: 'job.topic == "%s"', verdict: require_approval}
            """.formatted(ApprovalTraffic.TOPIC);

    @Mixin
    PhaseOptions phases = new PhaseOptions();

    @Option(names = "--jobs", description = "How many jobs wait for the measured decisions.")
    int jobs = 40_000;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var plan = new ApprovalBench.Plan(
                phases.connections,
                phases.rounds(),
                phases.perPhase(),
                phases.warmUp(),
                phases.quick ? QUICK_JOBS : jobs);
        return phases.measure(CONFIG, POLICY, subject -> new ApprovalBench(plan, subject, phases::tell).run());
    }
}
