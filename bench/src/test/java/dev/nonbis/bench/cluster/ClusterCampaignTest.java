package dev.nonbis.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.bench.process.BuiltServer;
import dev.nonbis.bench.torture.Database;
import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.redis.RedisServer;
import dev.nonbis.testkit.service.NatsServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterCampaignTest {

    // Slow enough that the machine has time for starting servers, which is most of what a short campaign does.
    private static final ClusterCampaign.Load LIGHT = new ClusterCampaign.Load(2, Duration.ofMillis(40));

    private static final ClusterCampaign.Pace QUICK = new ClusterCampaign.Pace(
            Duration.ofMillis(700), Duration.ofMillis(300), Duration.ofMillis(6_500), Duration.ofMillis(7_000));

    @TempDir
    Path messages;

    @Test
    void three_servers_on_postgres_and_nats_keep_every_promise_whatever_is_killed() throws Exception {
        skipUnless(PostgresServer.binaries().isPresent(), "PostgreSQL");
        keepsEveryPromise(2, Database.postgres(), Optional.of(NatsServer.start(messages)));
    }

    @Test
    void three_servers_on_redis_keep_every_promise_whatever_is_killed() throws Exception {
        skipUnless(RedisServer.program().isPresent(), "Redis");
        keepsEveryPromise(1, Database.redis(), Optional.empty());
    }

    private static void keepsEveryPromise(int turns, Database database, Optional<NatsServer> broker) throws Exception {
        var plan = new ClusterCampaign.Plan(turns, 11, LIGHT, QUICK);
        try (var cluster = Cluster.of(BuiltServer.command(), 3, database, broker)) {
            var report = new ClusterCampaign(plan, cluster, words -> {}).run();

            assertThat(report.violations()).as(report::asText).isEmpty();
            assertThat(report.counts().jobs()).isPositive();
            assertThat(report.counts().runs()).isPositive();
            assertThat(report.counts().payments()).isPositive();
            assertThat(report.counts().unanswered() + report.counts().unavailable())
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
