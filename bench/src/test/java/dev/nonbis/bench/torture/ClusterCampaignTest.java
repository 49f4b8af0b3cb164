package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerCommand;
import dev.nonbis.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Test;

final class ClusterCampaignTest {

    private static final int KILLS = 4;
    private static final long SEED = 11;

    @Test
    void servers_on_one_database_lose_and_double_nothing_when_any_of_them_is_killed() throws Exception {
        var command = ServerCommand.ofThisTree();
        assumeTrue(command.available(), () -> "the server is not built: " + command.jar());
        boolean installed = PostgresServer.binaries().isPresent();
        if ("true".equals(System.getenv("CI"))) {
            assertThat(installed).as("PostgreSQL is installed").isTrue();
        }
        assumeTrue(installed, "PostgreSQL is not installed");
        var credentials = Attacker.TENANTS.stream().map(Credential::forTenant).toList();
        try (var victim = ClusterVictim.of(command, 3, credentials, SEED)) {
            var report = new KillCampaign(
                            KillCampaign.Plan.usual(KillCampaign.Blows.kills(KILLS), SEED), victim, words -> {})
                    .run();

            assertThat(report.firstViolations()).as(report::asText).isEmpty();
            assertThat(report.counts().acknowledged()).isPositive();
            assertThat(report.counts().retriedUnknown()).isPositive();
        }
    }
}
