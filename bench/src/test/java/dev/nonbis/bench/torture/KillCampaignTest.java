package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.process.BuiltServer;
import dev.nonbis.bench.process.Credential;
import org.junit.jupiter.api.Test;

final class KillCampaignTest {

    private static final KillCampaign.Blows BLOWS = new KillCampaign.Blows(15, 2);
    private static final long SEED = 20_260_101;

    @Test
    void a_server_killed_and_cut_off_under_load_keeps_every_acknowledged_answer_and_no_key_is_stuck() throws Exception {
        var command = BuiltServer.command();
        var credentials = Attacker.TENANTS.stream().map(Credential::forTenant).toList();
        try (var victim = StoreVictim.onFile(command, credentials)) {
            var report = new KillCampaign(KillCampaign.Plan.usual(BLOWS, SEED), victim, words -> {}).run();

            assertThat(report.firstViolations()).as(report::asText).isEmpty();
            assertThat(report.counts().acknowledged()).isPositive();
            assertThat(report.counts().retriedUnknown()).isPositive();
        }
    }
}
