package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Calls over a few connections. A connection that fails is replaced by the next call; no call is ever made twice. */
final class RedisConnections implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(3);
    // Longer than any flush should take, so that only a dead network runs into it.
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final ConnectionPool pool;
    private volatile boolean closed;
    // Counts the times that we were cut off; who was may find another server, or the same with other settings.
    private final AtomicInteger losses = new AtomicInteger();

    RedisConnections(RedisAddress address, int most) {
        var client = DefaultJedisClientConfig.builder()
                .database(address.database())
                .connectionTimeoutMillis((int) CONNECT.toMillis())
                .socketTimeoutMillis((int) SILENCE.toMillis())
                .clientName("nonbis");
        if (address.tls()) {
            client.sslOptions(SslOptions.defaults());
        }
        if (!address.user().isEmpty()) {
            client.user(address.user());
        }
        if (!address.password().isEmpty()) {
            client.password(address.password());
        }
        var config = new ConnectionPoolConfig();
        config.setMaxTotal(most);
        config.setMaxIdle(most);
        config.setMaxWait(CONNECT);
        config.setJmxEnabled(false);
        this.pool = new ConnectionPool(new HostAndPort(address.host(), address.port()), client.build(), config);
    }

    /** A call that changes nothing. */
    Object ask(Command command, byte[]... arguments) {
        try (var connection = connect()) {
            return call(connection, command, arguments);
        } catch (JedisException e) {
            throw didNotHappen(e);
        }
    }

    /** A script that changes nothing. */
    Object ask(RedisScript script, List<byte[]> keys, List<byte[]> arguments) {
        return run(script, keys, arguments, false);
    }

    /** A script that writes, and checks all that it can before. */
    Object tell(RedisScript script, List<byte[]> keys, List<byte[]> arguments) {
        return run(script, keys, arguments, true);
    }

    int losses() {
        return losses.get();
    }

    private Object run(RedisScript script, List<byte[]> keys, List<byte[]> arguments, boolean writes) {
        try (var connection = connect()) {
            try {
                return evaluate(connection, script, keys, arguments);
            } catch (JedisNoScriptException e) {
                // It was restarted, or its scripts were flushed. It has not run.
                call(connection, Command.SCRIPT, RedisKeys.bytes("LOAD"), RedisKeys.bytes(script.text()));
                return evaluate(connection, script, keys, arguments);
            }
        } catch (JedisConnectionException e) {
            var failure = didNotHappen(e);
            throw writes ? RedisErrors.unknown(e) : failure;
        } catch (JedisException e) {
            throw didNotHappen(e);
        }
    }

    private static Object evaluate(
            Connection connection, RedisScript script, List<byte[]> keys, List<byte[]> arguments) {
        var all = new ArrayList<byte[]>(2 + keys.size() + arguments.size());
        all.add(RedisKeys.bytes(script.digest()));
        all.add(RedisKeys.bytes(Integer.toString(keys.size())));
        all.addAll(keys);
        all.addAll(arguments);
        return call(connection, Command.EVALSHA, all.toArray(byte[][]::new));
    }

    private static Object call(Connection connection, Command command, byte[]... arguments) {
        connection.sendCommand(command, arguments);
        return connection.getOne();
    }

    private Connection connect() {
        refuseIfClosed();
        try {
            return pool.getResource();
        } catch (JedisException e) {
            refuseIfClosed();
            throw didNotHappen(e);
        }
    }

    private StoreUnavailable didNotHappen(JedisException error) {
        boolean isLost = error instanceof JedisConnectionException
                || (error instanceof JedisDataException refusal && RedisErrors.leadsElsewhere(refusal));
        if (isLost && !closed) {
            losses.incrementAndGet();
            // The others lead where this one led.
            pool.clear();
        }
        return RedisErrors.didNotHappen(error);
    }

    void refuseIfClosed() {
        if (closed) {
            throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        pool.close();
    }
}
