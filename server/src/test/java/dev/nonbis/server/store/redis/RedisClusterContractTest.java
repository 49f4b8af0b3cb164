package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Backend;
import dev.nonbis.testkit.redis.RedisCluster;
import dev.nonbis.testkit.store.BackendContract;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What is promised of the rows of one owner holds on a cluster too. */
final class RedisClusterContractTest extends BackendContract {

    private static @Nullable RedisCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Redis.startClusterOrSkip();
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Override
    protected Backend openEmpty() throws Exception {
        cluster().everywhere("FLUSHALL");
        return new OneOwner(Redis.open(cluster().port()));
    }

    @Override
    protected Optional<Backend> reopen() {
        return Optional.of(new OneOwner(Redis.open(cluster().port())));
    }

    private static RedisCluster cluster() {
        if (cluster == null) {
            throw new IllegalStateException("the cluster was not started");
        }
        return cluster;
    }
}
