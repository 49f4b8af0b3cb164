package dev.nonbis.bench;

import dev.nonbis.bench.console.ConsoleBench;
import dev.nonbis.bench.console.ConsoleBench.Timing;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "console",
        description = "How long pages of the console take while the store is full.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class ConsoleCommand implements Callable<Integer> {

    private static final double MOST_MILLIS = 100;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--connections", description = "Connections that submit the jobs.")
    int connections = 64;

    @Option(names = "--jobs", description = "How many jobs there are to look at.")
    int jobs = 1_000_000;

    @Option(names = "--looks", description = "How often each page is looked at.")
    int looks = 20;

    @Option(names = "--quick", description = "A first look: 20,000 jobs.")
    boolean quick;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var timings = measure();
        var out = spec.commandLine().getOut();
        out.println("| page | median ms | slowest ms | KiB |\n|---|---|---|---|");
        timings.forEach(timing -> out.println(row(timing)));
        out.flush();
        return timings.stream().anyMatch(timing -> timing.medianMillis() > MOST_MILLIS) ? 1 : 0;
    }

    private static String row(Timing timing) {
        return String.format(
                Locale.ROOT,
                "| `%s` | %.1f | %.1f | %.0f |",
                timing.page(),
                timing.medianMillis(),
                timing.slowestMillis(),
                timing.bytes() / 1024.0);
    }

    private List<Timing> measure() throws IOException, InterruptedException {
        var credential = Credential.forTenant("acme");
        try (var directory = ServerDirectory.create(List.of(credential));
                var process = ServerProcess.start(server.command(), directory)) {
            var child = new Subject.Child(
                    process.pid(), directory.ports().managementAddress(), directory::storedBytes, "sqlite");
            var subject = new Subject(directory.ports().apiAddress(), credential.token(), Optional.of(child));
            var plan = new ConsoleBench.Plan(connections, quick ? 20_000 : jobs, looks);
            return new ConsoleBench(plan, subject, this::tell).run();
        }
    }

    private void tell(String words) {
        PrintWriter talk = spec.commandLine().getErr();
        talk.println(words);
        talk.flush();
    }
}
