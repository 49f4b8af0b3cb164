package dev.nonbis.server.store.redis;

import java.nio.file.Path;
import java.time.Duration;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/** How connections are made. */
final class RedisClient {

    private static final Duration CONNECT = Duration.ofSeconds(3);
    // Longer than any flush should take, so that only a dead network runs into it.
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private RedisClient() {}

    static JedisClientConfig of(RedisAddress address) {
        var client = DefaultJedisClientConfig.builder()
                .database(address.database())
                .connectionTimeoutMillis((int) CONNECT.toMillis())
                .socketTimeoutMillis((int) SILENCE.toMillis())
                .clientName("nonbis");
        if (address.tls()) {
            client.sslOptions(
                    address.rootCert().isEmpty() ? SslOptions.defaults() : RedisTrust.in(Path.of(address.rootCert())));
        }
        if (!address.user().isEmpty()) {
            client.user(address.user());
        }
        if (!address.password().isEmpty()) {
            client.password(address.password());
        }
        return client.build();
    }

    static ConnectionPoolConfig pool(int most) {
        var config = new ConnectionPoolConfig();
        config.setMaxTotal(most);
        config.setMaxIdle(most);
        config.setMaxWait(CONNECT);
        config.setJmxEnabled(false);
        return config;
    }
}
