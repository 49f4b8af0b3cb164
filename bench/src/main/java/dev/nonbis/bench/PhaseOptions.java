package dev.nonbis.bench;

import dev.nonbis.bench.measure.Report;
import dev.nonbis.bench.measure.ReportJson;
import dev.nonbis.bench.measure.ReportTable;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A bench of a few phases on a server of its own that enforces a policy. */
final class PhaseOptions {

    private static final int ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;
    private static final int QUICK_SECONDS = 3;

    @Spec(Spec.Target.MIXEE)
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--connections", description = "Keep-alive connections, each with one request under way.")
    int connections = 64;

    @Option(names = "--seconds", description = "Measured seconds of each phase.")
    int seconds = 10;

    @Option(names = "--warmup", description = "Unmeasured seconds of each phase at the start, taken in turns.")
    int warmup = 20;

    @Option(names = "--quick", description = "A look in half a minute: short phases, targets shown and not enforced.")
    boolean quick;

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

    /** What is measured. */
    interface Bench {
        Report on(Subject subject) throws IOException;
    }

    int rounds() {
        return quick ? QUICK_ROUNDS : ROUNDS;
    }

    Duration perPhase() {
        return Duration.ofSeconds(quick ? QUICK_SECONDS : seconds);
    }

    Duration warmUp() {
        return Duration.ofSeconds(quick ? 1 : warmup);
    }

    /** Starts a server, measures, prints, and returns the exit code. */
    int measure(String config, String policy, Bench bench) throws IOException, InterruptedException {
        var report = report(config, policy, bench);
        var out = spec.commandLine().getOut();
        out.println(json ? ReportJson.of(report) : ReportTable.of(report));
        out.flush();
        return report.missesTarget() && !quick ? 1 : 0;
    }

    private Report report(String config, String policy, Bench bench) throws IOException, InterruptedException {
        var credential = Credential.forTenant("acme");
        var command = server.command().offeringNoop();
        try (var directory = ServerDirectory.create(List.of(credential), "policy: {file: policy.yaml}\n" + config)) {
            Files.writeString(directory.root().resolve("policy.yaml"), policy);
            try (var process = ServerProcess.start(command, directory)) {
                var child = new Subject.Child(
                        process.pid(),
                        directory.ports().managementAddress(),
                        directory::storedBytes,
                        "sqlite, " + String.join(" ", command.jvmFlags()));
                return bench.on(new Subject(directory.ports().apiAddress(), credential.token(), Optional.of(child)));
            }
        }
    }

    void tell(String words) {
        var talk = spec.commandLine().getErr();
        talk.println(words);
        talk.flush();
    }
}
