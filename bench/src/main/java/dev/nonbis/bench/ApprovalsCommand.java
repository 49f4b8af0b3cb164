package dev.nonbis.bench;

import dev.nonbis.bench.approvals.ApprovalBench;
import dev.nonbis.bench.approvals.ApprovalTraffic;
import dev.nonbis.bench.measure.Report;
import dev.nonbis.bench.measure.ReportJson;
import dev.nonbis.bench.measure.ReportTable;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "approvals",
        description = "Decisions, repeated decisions and contrary ones against a no-op.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class ApprovalsCommand implements Callable<Integer> {

    private static final int ROUNDS = 5;
    // One credential submits and decides: that nobody decides about their own is a comparison of two words.
    private static final String CONFIG = """
            policy: {file: policy.yaml}
            approvals: {allow_self: true}
            """;
    private static final String POLICY = """
            jobs:
              default: allow
              rules:
                - {id: ask, when: 'job.topic == "%s"', verdict: require_approval}
            """.formatted(ApprovalTraffic.TOPIC);

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--connections", description = "Keep-alive connections, each with one request under way.")
    int connections = 64;

    @Option(names = "--seconds", description = "Measured seconds of each phase.")
    int seconds = 10;

    @Option(names = "--warmup", description = "Unmeasured seconds of each phase at the start.")
    int warmup = 5;

    @Option(names = "--jobs", description = "How many jobs wait for the measured decisions.")
    int jobs = 40_000;

    @Option(names = "--quick", description = "A look in half a minute: short phases, few jobs.")
    boolean quick;

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var report = measure();
        var out = spec.commandLine().getOut();
        out.println(json ? ReportJson.of(report) : ReportTable.of(report));
        out.flush();
        return report.missesTarget() && !quick ? 1 : 0;
    }

    private Report measure() throws IOException, InterruptedException {
        var credential = Credential.forTenant("acme");
        var command = server.command().offeringNoop();
        try (var directory = ServerDirectory.create(List.of(credential), CONFIG)) {
            Files.writeString(directory.root().resolve("policy.yaml"), POLICY);
            try (var process = ServerProcess.start(command, directory)) {
                var child = new Subject.Child(
                        process.pid(),
                        directory.ports().managementAddress(),
                        directory::storedBytes,
                        "sqlite, " + String.join(" ", command.jvmFlags()));
                var subject = new Subject(directory.ports().apiAddress(), credential.token(), Optional.of(child));
                return new ApprovalBench(plan(), subject, this::tell).run();
            }
        }
    }

    private void tell(String words) {
        PrintWriter talk = spec.commandLine().getErr();
        talk.println(words);
        talk.flush();
    }

    private ApprovalBench.Plan plan() {
        return quick
                ? new ApprovalBench.Plan(connections, 2, Duration.ofSeconds(3), Duration.ofSeconds(1), 8_000)
                : new ApprovalBench.Plan(
                        connections, ROUNDS, Duration.ofSeconds(seconds), Duration.ofSeconds(warmup), jobs);
    }
}
