package dev.nonbis.bench;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.torture.ChildVictim;
import dev.nonbis.bench.torture.DispatchCampaign;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "dispatch",
        description =
                "Sends jobs through workers while workers are killed and paused and the server is killed, and checks"
                        + " that each job ended once with one effect.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class DispatchTortureCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--jobs", description = "How many jobs.")
    int jobs = 100_000;

    @Option(names = "--workers", description = "How many workers.")
    int workers = 8;

    @Option(
            names = "--processes",
            description = "How many processes they live in; a process is killed or paused as a whole.")
    int processes = 2;

    @Option(names = "--tasks", description = "How many tasks each worker does at a time.")
    int tasks = 8;

    @Option(names = "--kills", description = "How often the server is killed.")
    int kills = 20;

    @Option(
            names = "--seed",
            description = "Decides load and delays (default: the time).",
            showDefaultValue = Help.Visibility.NEVER)
    Optional<Long> seed = Optional.empty();

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var talk = spec.commandLine().getErr();
        var size = new DispatchCampaign.Size(jobs, workers, processes, tasks, kills, seed.orElseGet(System::nanoTime));
        talk.println("seed " + size.seed());
        try (var directory = ServerDirectory.create(List.of(Credential.forTenant("acme")), DispatchCampaign.CONFIG)) {
            Files.writeString(directory.root().resolve("topics.yaml"), DispatchCampaign.TOPICS_FILE);
            try (var victim = new ChildVictim(server.command(), directory)) {
                var report = new DispatchCampaign(size, victim, directory.root().resolve("workers.log"), words -> {
                            talk.println(words);
                            talk.flush();
                        })
                        .run();
                var out = spec.commandLine().getOut();
                out.println(json ? report.asJson() : report.asText());
                out.flush();
                return report.clean() ? 0 : 1;
            }
        }
    }
}
