package dev.nonbis.server.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.CommitListener;
import dev.nonbis.core.store.SharedStore;
import dev.nonbis.testkit.redis.RedisCluster;
import dev.nonbis.testkit.redis.RedisServer;
import java.io.IOException;
import java.time.Duration;

/** What tests on a real Redis share. */
public final class Redis {

    private Redis() {}

    /** Starts one, or skips the test when it is not installed; where everything must be tested, that is a failure. */
    public static RedisServer startOrSkip(String... options) throws IOException {
        skipUnlessInstalled();
        return RedisServer.start(options);
    }

    /** Starts three that are a cluster, or skips. */
    public static RedisCluster startClusterOrSkip() throws IOException {
        skipUnlessInstalled();
        return RedisCluster.start();
    }

    private static void skipUnlessInstalled() {
        boolean installed = RedisServer.program().isPresent();
        if ("true".equals(System.getenv("CI"))) {
            assertThat(installed).as("Redis is installed").isTrue();
        }
        assumeTrue(installed, "Redis is not installed");
    }

    static RedisAddress address(int port) {
        return new RedisAddress("127.0.0.1", port, 0, "", "", false, "");
    }

    static RedisStore.Settings strict() {
        return new RedisStore.Settings(12, true);
    }

    static Backend open(int port) {
        return RedisStore.open(address(port), strict()).backend();
    }

    static SharedStore shared(Backend backend) {
        return new SharedStore(
                backend,
                new SharedStore.Settings(
                        2, 2, 64, 1000, Duration.ofSeconds(2), CommitListener.SILENT, System::nanoTime));
    }
}
