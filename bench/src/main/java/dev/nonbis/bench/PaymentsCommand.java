package dev.nonbis.bench;

import dev.nonbis.bench.measure.Report;
import dev.nonbis.bench.measure.ReportJson;
import dev.nonbis.bench.measure.ReportTable;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.payments.PaymentBench;
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
        name = "payments",
        description =
                "Fresh payment decisions, replays and conflicts against a no-op, and what a signature costs by itself.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class PaymentsCommand implements Callable<Integer> {

    private static final int ROUNDS = 5;
    private static final String CONFIG = "policy: {file: policy.yaml}\n";
    private static final String POLICY = """
            payments:
              default: deny
              rules:
                - {id: small, when: 'payment.intent == "purchase_api_call" && amount_usd <= 0.50 && provider.status == "trusted"', verdict: allow}
            agents: [{id: research-agent-01, status: active}]
            providers: [{id: api.example, url: "https://api.example.com", status: trusted}]
            budgets:
              - {agent: research-agent-01, scope: day, cap_usd: "100000000.00"}
              - {agent: research-agent-01, scope: month, cap_usd: "100000000.00"}
            """;

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

    @Option(names = "--quick", description = "A look in half a minute: short phases.")
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
                return new PaymentBench(plan(), subject, this::tell).run();
            }
        }
    }

    private void tell(String words) {
        PrintWriter talk = spec.commandLine().getErr();
        talk.println(words);
        talk.flush();
    }

    private PaymentBench.Plan plan() {
        return quick
                ? new PaymentBench.Plan(connections, 2, Duration.ofSeconds(3), Duration.ofSeconds(1))
                : new PaymentBench.Plan(connections, ROUNDS, Duration.ofSeconds(seconds), Duration.ofSeconds(warmup));
    }
}
