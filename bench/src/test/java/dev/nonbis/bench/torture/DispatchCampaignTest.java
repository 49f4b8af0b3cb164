package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.process.BuiltServer;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DispatchCampaignTest {

    private static final DispatchCampaign.Size SHORT = new DispatchCampaign.Size(1_000, 8, 2, 8, 2, 20_260_101);

    @Test
    void jobs_through_workers_and_servers_that_die_end_once_each_with_one_effect_each() throws Exception {
        var command = BuiltServer.command();
        try (var directory = ServerDirectory.create(
                List.of(Credential.forTenant(DispatchCampaign.TENANT)), DispatchCampaign.CONFIG)) {
            Files.writeString(directory.root().resolve("topics.yaml"), DispatchCampaign.TOPICS_FILE);
            try (var victim = new ChildVictim(command, directory)) {
                var log = directory.root().resolve("workers.log");
                var report = new DispatchCampaign(SHORT, victim, log, words -> {}).run();

                assertThat(report.firstViolations()).as(report::asText).isEmpty();
                assertThat(report.counts().jobs()).isEqualTo(SHORT.jobs());
                assertThat(report.counts().effectCalls())
                        .as("some work was done again")
                        .isGreaterThan(report.counts().effects());
                assertThat(report.faults().serverKills()).isEqualTo(SHORT.kills());
            }
        }
    }
}
