package dev.nonbis.bench;

import dev.nonbis.bench.torture.ChildVictim;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "dispatch",
        description =
                "Sends jobs through workers while workers are killed and paused and the server is killed, and checks"
                        + " that each job ended once with one effect.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class DispatchTortureCommand implements Callable<Integer> {

    @Mixin
    CampaignOptions campaign = new CampaignOptions();

    @Option(names = "--jobs", description = "How many jobs.")
    int jobs = 100_000;

    @Option(names = "--kills", description = "How often the server is killed.")
    int kills = 20;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var directory = campaign.directory("");
                var victim = new ChildVictim(campaign.server.command(), directory)) {
            return campaign.run(jobs, kills, victim, directory).clean() ? 0 : 1;
        }
    }
}
