package dev.nonbis.bench;

import dev.nonbis.bench.dispatch.DispatchBench;
import dev.nonbis.bench.dispatch.DispatchBench.Figures;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import dev.nonbis.testkit.service.NatsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "dispatch",
        description = "Jobs from submission to recorded result, with few and with many others waiting.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class DispatchCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    /** What carries the work. */
    enum Bus {
        EMBEDDED,
        NATS
    }

    @Option(names = "--bus", description = "embedded, or nats: a broker of its own on this machine.")
    Bus bus = Bus.EMBEDDED;

    @Option(names = "--workers", description = "Workers, each with one connection.")
    int workers = 16;

    @Option(names = "--submitters", description = "Connections that submit.")
    int submitters = 16;

    @Option(names = "--under-way", description = "Jobs submitted and not finished at a time.")
    int underWay = 64;

    @Option(names = "--seconds", description = "Measured seconds at each size of the backlog.")
    int seconds = 20;

    @Option(names = "--few", description = "The small backlog.")
    long few = 1_000;

    @Option(names = "--many", description = "The large backlog.")
    long many = 1_000_000;

    @Override
    public Integer call() throws IOException, InterruptedException {
        return switch (bus) {
            case EMBEDDED -> measure("");
            case NATS -> {
                try (var broker = NatsServer.startWithoutSkipping(Files.createTempDirectory("nonbis-broker-"))) {
                    yield measure(NatsTortureCommand.busEntry(broker));
                }
            }
        };
    }

    private int measure(String busEntry) throws IOException, InterruptedException {
        var credential = Credential.forTenant("acme");
        try (var directory = ServerDirectory.create(List.of(credential), busEntry);
                var process = ServerProcess.start(server.command(), directory)) {
            var plan = new DispatchBench.Plan(submitters, workers, underWay, Duration.ofSeconds(seconds));
            var talk = spec.commandLine().getErr();
            var bench = new DispatchBench(plan, directory.ports().apiAddress(), credential.token(), words -> {
                talk.println(words);
                talk.flush();
            });
            bench.measure(0, few);
            var small = bench.measure(0, few);
            var large = bench.measure(0, many);
            print(small);
            print(large);
            return process.alive() ? 0 : 1;
        }
    }

    private void print(Figures figures) {
        var out = spec.commandLine().getOut();
        out.printf(
                "%,10d waiting: %,8.0f jobs/s submit to result, p50 %6.1f ms, p99 %6.1f ms; backlog worked off at %,8.0f jobs/s%n",
                figures.waiting(),
                figures.jobsPerSecond(),
                figures.p50Ms(),
                figures.p99Ms(),
                figures.drainedPerSecond());
        out.flush();
    }
}
