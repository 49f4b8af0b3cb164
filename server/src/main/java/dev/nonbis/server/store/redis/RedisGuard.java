package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.HostAndPort;

/** Looks again before the first write after a lost connection: a server that was restarted may have other settings. */
final class RedisGuard {

    private final RedisConnections connections;
    private final boolean strict;
    // How many connections had been lost when a server was looked at.
    private final Map<HostAndPort, Integer> checked = new ConcurrentHashMap<>();

    RedisGuard(RedisConnections connections, boolean strict) {
        this.connections = connections;
        this.strict = strict;
    }

    /**
     * What the servers may lose, in a sentence each.
     *
     * @throws StoreUnavailable when durability is strict and there is something
     */
    List<String> weaknesses() {
        var all = new ArrayList<String>();
        var nodes = connections.primaries();
        for (var node : nodes) {
            var some = weaknesses(node);
            all.addAll(
                    nodes.size() == 1
                            ? some
                            : some.stream().map(one -> node + ": " + one).toList());
        }
        return List.copyOf(all);
    }

    /**
     * Called before each write.
     *
     * @throws StoreUnavailable when durability is strict and this server may lose something
     */
    void check(HostAndPort node) {
        if (strict && !Integer.valueOf(connections.losses()).equals(checked.get(node))) {
            weaknesses(node);
        }
    }

    private List<String> weaknesses(HostAndPort node) {
        int losses = connections.losses();
        var weaknesses = RedisDurability.weaknesses(connections, node);
        if (strict && !weaknesses.isEmpty()) {
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN,
                    Cause.FAILED,
                    "durability is strict, and " + node + " can lose an acknowledged write: "
                            + String.join("; ", weaknesses) + ". Or accept the loss with durability: relaxed");
        }
        checked.put(node, losses);
        return weaknesses;
    }
}
