package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.StoreUnavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;

/** By which settings a Redis server may lose what it has acknowledged. */
final class RedisDurability {

    private RedisDurability() {}

    /** One sentence each, with the reason and the fix; none when it keeps what it acknowledges. */
    static List<String> weaknesses(RedisConnections connections, HostAndPort node) {
        var weaknesses = new ArrayList<String>();
        try {
            if (!is(connections, node, "appendonly", "yes")) {
                weaknesses.add("appendonly is off, so a restart loses what was written since the last snapshot:"
                        + " CONFIG SET appendonly yes, and in redis.conf");
            }
            if (!is(connections, node, "appendfsync", "always")) {
                weaknesses.add("appendfsync is not always, so the last writes before a crash are lost:"
                        + " CONFIG SET appendfsync always, and in redis.conf");
            }
            if (!is(connections, node, "no-appendfsync-on-rewrite", "no")) {
                weaknesses.add("no-appendfsync-on-rewrite is on, so writes during a rewrite are not flushed:"
                        + " CONFIG SET no-appendfsync-on-rewrite no, and in redis.conf");
            }
            if (!is(connections, node, "maxmemory-policy", "noeviction")) {
                weaknesses.add(
                        "maxmemory-policy is not noeviction, so acknowledged writes are thrown away when memory is short:"
                                + " CONFIG SET maxmemory-policy noeviction, and in redis.conf");
            }
        } catch (Unreadable e) {
            weaknesses.add("its settings cannot be read (" + e.getMessage()
                    + "), so nobody knows what it keeps: allow CONFIG GET to the user of store.url");
        }
        return List.copyOf(weaknesses);
    }

    /** The server does not tell. */
    private static final class Unreadable extends Exception {

        private static final long serialVersionUID = 1L;

        Unreadable(String message) {
            super(message);
        }
    }

    private static boolean is(RedisConnections connections, HostAndPort node, String setting, String value)
            throws Unreadable {
        return setting(connections, node, setting).filter(value::equals).isPresent();
    }

    private static Optional<String> setting(RedisConnections connections, HostAndPort node, String name)
            throws Unreadable {
        int losses = connections.losses();
        try {
            var pair = (List<?>) connections.ask(node, Command.CONFIG, "GET", name);
            return pair.size() < 2 ? Optional.empty() : Optional.of(RedisKeys.text((byte[]) pair.get(1)));
        } catch (StoreUnavailable e) {
            if (connections.losses() != losses) {
                throw e;
            }
            throw new Unreadable(String.valueOf(e.getMessage()));
        }
    }
}
