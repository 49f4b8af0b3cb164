package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.process.BuiltServer;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.NatsServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@EveryRelease
final class BrokerCampaignTest {

    private static final DispatchCampaign.Size SHORT = new DispatchCampaign.Size(600, 4, 2, 8, 2, 20_260_102);

    @TempDir
    Path messages;

    @Test
    void jobs_through_a_broker_that_dies_and_loses_everything_end_once_each_with_one_effect_each() throws Exception {
        var command = BuiltServer.command();
        try (var broker = NatsServer.start(messages);
                var directory = ServerDirectory.create(
                        List.of(Credential.forTenant(DispatchCampaign.TENANT)),
                        DispatchCampaign.CONFIG + "bus: {url: \"" + broker.url() + "\"}\n")) {
            Files.writeString(directory.root().resolve("topics.yaml"), DispatchCampaign.TOPICS_FILE);
            try (var child = new ChildVictim(command, directory)) {
                var victim = new BrokerVictim(broker, child, new BrokerVictim.Plan(SHORT.kills(), 1));
                var log = directory.root().resolve("workers.log");
                var report = new DispatchCampaign(SHORT, victim, log, words -> {}).run();

                assertThat(report.firstViolations()).as(report::asText).isEmpty();
                assertThat(report.counts().jobs()).isEqualTo(SHORT.jobs());
                assertThat(victim.wipes()).isEqualTo(1);
            }
        }
    }
}
