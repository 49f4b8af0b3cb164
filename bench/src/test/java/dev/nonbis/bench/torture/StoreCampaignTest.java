package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.bench.process.BuiltServer;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.redis.RedisServer;
import dev.nonbis.testkit.service.EveryRelease;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StoreCampaignTest {

    private static final List<Credential> CREDENTIALS =
            Attacker.TENANTS.stream().map(Credential::forTenant).toList();

    @Test
    @EveryRelease
    void nothing_is_lost_or_doubled_when_connections_are_cut_after_a_commit_of_postgres() throws Exception {
        require("PostgreSQL", PostgresServer.binaries());
        // What kills do to it is for the campaign with several servers.
        check(new KillCampaign.Blows(0, 2), StoreVictim.on(Database.postgres(), BuiltServer.command(), CREDENTIALS));
    }

    @Test
    void nothing_is_lost_or_doubled_when_redis_is_killed_and_cut_off() throws Exception {
        require("Redis", RedisServer.program());
        check(new KillCampaign.Blows(3, 2), StoreVictim.on(Database.redis(), BuiltServer.command(), CREDENTIALS));
    }

    private static void require(String what, Optional<?> installed) {
        if ("true".equals(System.getenv("CI"))) {
            assertThat(installed).as(what + " is installed").isPresent();
        }
        assumeTrue(installed.isPresent(), what + " is not installed");
    }

    private static void check(KillCampaign.Blows blows, StoreVictim victim) throws IOException, InterruptedException {
        try (victim) {
            var report = new KillCampaign(KillCampaign.Plan.usual(blows, 5), victim, words -> {}).run();

            assertThat(report.firstViolations()).as(report::asText).isEmpty();
            assertThat(report.counts().acknowledged()).isPositive();
            assertThat(report.counts().retriedUnknown()).isPositive();
        }
    }
}
