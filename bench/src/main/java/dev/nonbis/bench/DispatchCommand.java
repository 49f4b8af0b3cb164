package dev.nonbis.bench;

import dev.nonbis.bench.dispatch.DispatchBench;
import dev.nonbis.bench.dispatch.DispatchBench.Figures;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ProcessFacts;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import dev.nonbis.testkit.service.NatsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

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

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

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
            var target = new DispatchBench.Target(
                    directory.ports().apiAddress(),
                    credential.token(),
                    () -> ProcessFacts.of(process.pid()).cpu().orElse(Duration.ZERO));
            var talk = spec.commandLine().getErr();
            var bench = new DispatchBench(plan, target, words -> {
                talk.println(words);
                talk.flush();
            });
            talk.println("warming up");
            bench.measure(few);
            var small = bench.measure(few);
            var large = bench.measure(many);
            var out = spec.commandLine().getOut();
            out.println(json ? asJson(small, large) : asText(small) + asText(large) + ratios(small, large));
            out.flush();
            return process.alive() ? 0 : 1;
        }
    }

    private static String asText(Figures figures) {
        return String.format(
                Locale.ROOT,
                "%,10d waiting: %,8.0f jobs/s submit to result, p50 %6.1f ms, p99 %6.1f ms, %,6.0f us of the server each; backlog worked off at %,8.0f jobs/s%n",
                figures.waiting(),
                figures.jobsPerSecond(),
                figures.p50Ms(),
                figures.p99Ms(),
                figures.cpuMicrosPerJob(),
                figures.drainedPerSecond());
    }

    private static String ratios(Figures small, Figures large) {
        return String.format(
                Locale.ROOT,
                "     large to small: %.2f of the rate, %.2f of p50, %.2f of p99, %.2f of the processor time, %.2f of the backlog's rate",
                large.jobsPerSecond() / small.jobsPerSecond(),
                large.p50Ms() / small.p50Ms(),
                large.p99Ms() / small.p99Ms(),
                large.cpuMicrosPerJob() / small.cpuMicrosPerJob(),
                large.drainedPerSecond() / small.drainedPerSecond());
    }

    private static String asJson(Figures... all) {
        var mapper = JsonMapper.shared();
        var root = mapper.createArrayNode();
        for (var figures : all) {
            root.addObject()
                    .put("waiting", figures.waiting())
                    .put("jobs_per_second", figures.jobsPerSecond())
                    .put("p50_ms", figures.p50Ms())
                    .put("p99_ms", figures.p99Ms())
                    .put("cpu_us_per_job", figures.cpuMicrosPerJob())
                    .put("backlog_jobs_per_second", figures.drainedPerSecond());
        }
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }
}
