package dev.nonbis.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.bench.process.BuiltServer;
import dev.nonbis.bench.torture.Database;
import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.redis.RedisServer;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.NatsServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterCampaignTest {

    // Slow enough that the machine has time for starting servers, which is most of what a short campaign does.
    private static final ClusterCampaign.Load LIGHT = new ClusterCampaign.Load(2, Duration.ofMillis(40));

    private static final ClusterCampaign.Pace QUICK = new ClusterCampaign.Pace(
            Duration.ofMillis(700), Duration.ofMillis(300), Duration.ofMillis(5_500), Duration.ofMillis(6_000));

    @TempDir
    Path messages;

    @Test
    @EveryRelease
    void three_servers_on_postgres_and_nats_keep_every_promise_whatever_is_killed() throws Exception {
        skipUnless(PostgresServer.binaries().isPresent(), "PostgreSQL");
        keepsEveryPromise(
                List.of(Turn.SERVER_AND_DATABASE, Turn.BROKER),
                Database.postgres(),
                Optional.of(NatsServer.start(messages)));
    }

    @Test
    void three_servers_on_redis_keep_every_promise_while_one_stands_still_and_meets_its_successor() throws Exception {
        skipUnless(RedisServer.program().isPresent(), "Redis");
        keepsEveryPromise(List.of(Turn.STOP), Database.redis(), Optional.empty());
    }

    private static void keepsEveryPromise(List<Turn> turns, Database database, Optional<NatsServer> broker)
            throws Exception {
        var plan = new ClusterCampaign.Plan(turns, 11, LIGHT, QUICK);
        try (var cluster = Cluster.of(BuiltServer.command(), 3, database, broker)) {
            var report = new ClusterCampaign(plan, cluster, words -> {}).run();

            assertThat(report.violations()).as(report::asText).isEmpty();
            assertThat(report.counts().jobs()).isPositive();
            assertThat(report.counts().runs()).isPositive();
            assertThat(report.counts().payments()).isPositive();
            assertThat(report.counts().workersRefused()).isPositive();
            assertThat(report.counts().unanswered()
                            + report.counts().unavailable()
                            + report.counts().waitedLong())
                    .isPositive();
        }
    }

    private static void skipUnless(boolean installed, String name) {
        if ("true".equals(System.getenv("CI"))) {
            assertThat(installed).as(name + " is installed").isTrue();
        }
        assumeTrue(installed, name + " is not installed");
    }
}
