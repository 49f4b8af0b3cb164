package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Backend;
import dev.nonbis.testkit.redis.RedisServer;
import dev.nonbis.testkit.store.SharedContract;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class RedisContractTest extends SharedContract {

    private static @Nullable RedisServer server;

    @BeforeAll
    static void start() throws Exception {
        server = Redis.startOrSkip();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected Backend openEmpty() throws Exception {
        server().command("FLUSHALL");
        return Redis.open(server().port());
    }

    @Override
    protected Optional<Backend> reopen() {
        return Optional.of(Redis.open(server().port()));
    }

    @Override
    protected Backend another() {
        return Redis.open(server().port());
    }

    @Override
    protected boolean keepsOthersAway() {
        return false;
    }

    private static RedisServer server() {
        if (server == null) {
            throw new IllegalStateException("Redis was not started");
        }
        return server;
    }
}
