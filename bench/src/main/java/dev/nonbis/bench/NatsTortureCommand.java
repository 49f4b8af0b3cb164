package dev.nonbis.bench;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.torture.BrokerVictim;
import dev.nonbis.bench.torture.ChildVictim;
import dev.nonbis.bench.torture.DispatchCampaign;
import dev.nonbis.testkit.service.NatsServer;
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
        name = "nats",
        description =
                "Sends jobs through a real NATS server that is killed and wiped while workers are killed and paused, and"
                        + " checks that each job ended once with one effect.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class NatsTortureCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--jobs", description = "How many jobs.")
    int jobs = 10_000;

    @Option(names = "--workers", description = "How many workers.")
    int workers = 8;

    @Option(names = "--processes", description = "How many processes they live in.")
    int processes = 2;

    @Option(names = "--tasks", description = "How many tasks each worker does at a time.")
    int tasks = 8;

    @Option(names = "--kills", description = "How often the broker is killed.")
    int kills = 10;

    @Option(names = "--wipes", description = "After how many of these kills it comes back empty.")
    int wipes = 2;

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
        var messages = Files.createTempDirectory("nonbis-broker-");
        try (var broker = NatsServer.startWithoutSkipping(messages);
                var directory = ServerDirectory.create(
                        List.of(Credential.forTenant("acme")), DispatchCampaign.CONFIG + busEntry(broker))) {
            Files.writeString(directory.root().resolve("topics.yaml"), DispatchCampaign.TOPICS_FILE);
            try (var child = new ChildVictim(server.command(), directory)) {
                var victim = new BrokerVictim(broker, child, new BrokerVictim.Plan(kills, wipes));
                var report = new DispatchCampaign(size, victim, directory.root().resolve("workers.log"), words -> {
                            talk.println(words);
                            talk.flush();
                        })
                        .run();
                talk.println("each \"server kill\" above was one of the broker; it came back empty " + victim.wipes()
                        + " times");
                var out = spec.commandLine().getOut();
                out.println(json ? report.asJson() : report.asText());
                out.flush();
                return report.clean() && victim.wipes() == wipes ? 0 : 1;
            }
        }
    }

    static String busEntry(NatsServer broker) {
        return "bus: {url: \"" + broker.url() + "\"}\n";
    }
}
