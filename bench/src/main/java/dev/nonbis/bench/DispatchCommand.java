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
import java.util.ArrayList;
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

    @Option(
            names = "--bus",
            description = "embedded; or nats, measured after it on a broker of its own on this machine.")
    Bus bus = Bus.EMBEDDED;

    @Option(names = "--workers", description = "Workers.")
    int workers = 8;

    @Option(names = "--tasks", description = "Tasks that one worker does at a time.")
    int tasks = 16;

    @Option(names = "--submitters", description = "Connections that submit.")
    int submitters = 64;

    @Option(names = "--under-way", description = "Jobs submitted and not finished at a time.")
    int underWay = 256;

    @Option(names = "--seconds", description = "Measured seconds at each size of the backlog.")
    int seconds = 20;

    @Option(names = "--few", description = "The small backlog.")
    long few = 1_000;

    @Option(names = "--many", description = "The large backlog.")
    long many = 1_000_000;

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

    /** What one bus carried: with the small backlog, and with the large one. */
    private record Run(Bus bus, Figures small, Figures large) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        var runs = new ArrayList<Run>();
        runs.add(measure(Bus.EMBEDDED, ""));
        if (bus == Bus.NATS) {
            try (var broker = NatsServer.startWithoutSkipping(Files.createTempDirectory("nonbis-broker-"))) {
                runs.add(measure(Bus.NATS, NatsTortureCommand.busEntry(broker)));
            }
        }
        var out = spec.commandLine().getOut();
        out.println(json ? asJson(runs) : asText(runs));
        out.flush();
        return 0;
    }

    private Run measure(Bus carrier, String busEntry) throws IOException, InterruptedException {
        var credential = Credential.forTenant("acme");
        try (var directory = ServerDirectory.create(List.of(credential), busEntry);
                var process = ServerProcess.start(server.command(), directory)) {
            var plan = new DispatchBench.Plan(submitters, workers, tasks, underWay, Duration.ofSeconds(seconds));
            var target = new DispatchBench.Target(
                    directory.ports().apiAddress(),
                    credential.token(),
                    () -> ProcessFacts.of(process.pid()).cpu().orElse(Duration.ZERO));
            var bench = new DispatchBench(plan, target, this::say);
            say(name(carrier) + ": warming up");
            bench.measure(few);
            var run = new Run(carrier, bench.measure(few), bench.measure(many));
            if (!process.alive()) {
                throw new IOException("the server has died");
            }
            return run;
        }
    }

    private void say(String words) {
        var talk = spec.commandLine().getErr();
        talk.println(words);
        talk.flush();
    }

    private static String name(Bus bus) {
        return bus.name().toLowerCase(Locale.ROOT);
    }

    private static String asText(List<Run> runs) {
        var text = new StringBuilder();
        for (var run : runs) {
            text.append(name(run.bus())).append(" bus").append(System.lineSeparator());
            text.append(asText(run.small()))
                    .append(asText(run.large()))
                    .append(ratios("large to small", run.small(), run.large()));
        }
        if (runs.size() > 1) {
            text.append(ratios(
                    "nats to embedded", runs.getFirst().small(), runs.getLast().small()));
        }
        return text.toString();
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

    private static String ratios(String what, Figures first, Figures second) {
        return String.format(
                Locale.ROOT,
                "%19s: %.2f of the rate, %.2f of p50, %.2f of p99, %.2f of the processor time, %.2f of the backlog's rate%n",
                what,
                second.jobsPerSecond() / first.jobsPerSecond(),
                second.p50Ms() / first.p50Ms(),
                second.p99Ms() / first.p99Ms(),
                second.cpuMicrosPerJob() / first.cpuMicrosPerJob(),
                second.drainedPerSecond() / first.drainedPerSecond());
    }

    private static String asJson(List<Run> runs) {
        var mapper = JsonMapper.shared();
        var root = mapper.createArrayNode();
        for (var run : runs) {
            for (var figures : List.of(run.small(), run.large())) {
                root.addObject()
                        .put("bus", name(run.bus()))
                        .put("waiting", figures.waiting())
                        .put("jobs_per_second", figures.jobsPerSecond())
                        .put("p50_ms", figures.p50Ms())
                        .put("p99_ms", figures.p99Ms())
                        .put("cpu_us_per_job", figures.cpuMicrosPerJob())
                        .put("backlog_jobs_per_second", figures.drainedPerSecond());
            }
        }
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }
}
