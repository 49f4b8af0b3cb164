package dev.nonbis.server.store.redis;

import java.util.List;
import java.util.Set;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The primaries of a cluster. Jedis asks them who has which slot; what is sent where, and that nothing is sent twice, is ours. */
final class ClusterNodes implements RedisNodes {

    private final ClusterConnectionProvider cluster;
    private volatile boolean outdated;

    ClusterNodes(RedisAddress address, int most) {
        this.cluster = new ClusterConnectionProvider(
                Set.of(new HostAndPort(address.host(), address.port())),
                RedisClient.of(address),
                RedisClient.pool(most));
    }

    @Override
    public HostAndPort of(byte[] key) {
        int slot = JedisClusterCRC16.getSlot(key);
        if (outdated || cluster.getNode(slot) == null) {
            outdated = false;
            cluster.renewSlotCache();
        }
        var node = cluster.getNode(slot);
        if (node == null) {
            throw new JedisException("no server of the cluster has slot " + slot);
        }
        return node;
    }

    @Override
    public Connection connect(HostAndPort node) {
        return cluster.getConnection(node);
    }

    @Override
    public List<HostAndPort> primaries() {
        return cluster.getPrimaryNodes().keySet().stream()
                .map(HostAndPort::from)
                .toList();
    }

    @Override
    public void lookAgain() {
        cluster.getNodes().values().forEach(ConnectionPool::clear);
        outdated = true;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
