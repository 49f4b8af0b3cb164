package dev.nonbis.server.store.redis;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;

/** One server that has everything. */
final class SingleNode implements RedisNodes {

    private final HostAndPort node;
    private final ConnectionPool pool;

    SingleNode(RedisAddress address, int most) {
        this.node = new HostAndPort(address.host(), address.port());
        this.pool = new ConnectionPool(node, RedisClient.of(address), RedisClient.pool(most));
    }

    @Override
    public HostAndPort of(byte[] key) {
        return node;
    }

    @Override
    public Connection connect(HostAndPort to) {
        return pool.getResource();
    }

    @Override
    public List<HostAndPort> primaries() {
        return List.of(node);
    }

    @Override
    public void lookAgain() {
        pool.clear();
    }

    @Override
    public void close() {
        pool.close();
    }
}
