package dev.nonbis.bench;

import dev.nonbis.bench.torture.BrokerVictim;
import dev.nonbis.bench.torture.ChildVictim;
import dev.nonbis.testkit.service.NatsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "nats",
        description =
                "Sends jobs through a real NATS server that is killed and wiped while workers are killed and paused, and"
                        + " checks that each job ended once with one effect.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class NatsTortureCommand implements Callable<Integer> {

    @Mixin
    CampaignOptions campaign = new CampaignOptions();

    @Option(names = "--jobs", description = "How many jobs.")
    int jobs = 10_000;

    @Option(names = "--kills", description = "How often the broker is killed.")
    int kills = 10;

    @Option(names = "--wipes", description = "After how many of these kills it comes back empty.")
    int wipes = 2;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var messages = Files.createTempDirectory("nonbis-broker-");
        try (var broker = NatsServer.startWithoutSkipping(messages);
                var directory = campaign.directory(busEntry(broker));
                var child = new ChildVictim(campaign.server.command(), directory)) {
            var victim = new BrokerVictim(broker, child, new BrokerVictim.Plan(kills, wipes));
            var report = campaign.run(jobs, kills, victim, directory);
            campaign.say("each \"server kill\" above was one of the broker; it came back empty " + victim.wipes()
                    + " times");
            return report.clean() && victim.wipes() == wipes ? 0 : 1;
        }
    }

    static String busEntry(NatsServer broker) {
        return "bus: {url: \"" + broker.url() + "\"}\n";
    }
}
