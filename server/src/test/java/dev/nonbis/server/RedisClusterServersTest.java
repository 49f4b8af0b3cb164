package dev.nonbis.server;

import dev.nonbis.server.config.StoreUrl;
import dev.nonbis.server.store.redis.Redis;
import dev.nonbis.testkit.redis.RedisCluster;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;

/** Several servers on one Redis cluster. */
final class RedisClusterServersTest extends ServersContract {

    private static @Nullable RedisCluster started;

    @BeforeAll
    static void startCluster() throws IOException {
        started = Redis.startClusterOrSkip();
    }

    @Override
    void stopStore() {
        if (started != null) {
            started.close();
        }
    }

    @Override
    StoreUrl url() {
        return new StoreUrl.Redis("127.0.0.1", cluster().port(), 0, "", "", false, "");
    }

    @Override
    String loosen() throws IOException {
        cluster().nodes().getLast().command("CONFIG", "SET", "appendfsync", "everysec");
        return "appendfsync is not always";
    }

    @Override
    void tighten() throws IOException {
        cluster().everywhere("CONFIG", "SET", "appendfsync", "always");
    }

    private static RedisCluster cluster() {
        if (started == null) {
            throw new IllegalStateException("the cluster was not started");
        }
        return started;
    }
}
