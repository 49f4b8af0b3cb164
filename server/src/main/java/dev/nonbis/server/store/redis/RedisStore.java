package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/** A Redis server or a cluster of them, used by any number of servers of ours. */
public final class RedisStore {

    private static final List<Integer> OLDEST_SERVER = List.of(6, 2);

    private RedisStore() {}

    /**
     * How a database is used.
     *
     * @param connections how many at most
     * @param strict whether a server that may lose what it acknowledged is refused
     */
    public record Settings(int connections, boolean strict) {}

    /**
     * A database that is ready.
     *
     * @param weaknesses by what it may lose what it has acknowledged, in a sentence each; always empty when opened strictly
     */
    public record Opened(Backend backend, List<String> weaknesses) {}

    /**
     * Connects, and checks what the server promises.
     *
     * @throws StoreUnavailable when the server cannot be used; the message says why
     */
    public static Opened open(RedisAddress address, Settings settings) {
        var first = new RedisConnections(new SingleNode(address, settings.connections()));
        var reach = told(address, first, () -> reach(address, first));
        var connections = reach == RedisReach.EVERYTHING ? first : spread(address, settings, first);
        return told(address, connections, () -> {
            var guard = new RedisGuard(connections, settings.strict());
            var weaknesses = guard.weaknesses();
            refuseAnotherFormat(address, connections, reach.format());
            return new Opened(new RedisBackend(connections, guard, reach), weaknesses);
        });
    }

    private static <R> R told(RedisAddress address, RedisConnections connections, Supplier<R> steps) {
        try {
            return steps.get();
        } catch (StoreUnavailable e) {
            connections.close();
            throw new StoreUnavailable(
                    e.fate(), e.why(), "cannot use the database " + address + ": " + e.getMessage(), e);
        }
    }

    private static RedisConnections spread(RedisAddress address, Settings settings, RedisConnections first) {
        return told(address, first, () -> {
            try {
                return new RedisConnections(new ClusterNodes(address, settings.connections()));
            } catch (JedisException e) {
                throw RedisErrors.didNotHappen(e);
            } finally {
                first.close();
            }
        });
    }

    /** Refuses what cannot be used, and tells how far scripts reach. */
    private static RedisReach reach(RedisAddress address, RedisConnections connections) {
        var facts = facts(connections);
        var version = facts.getOrDefault("redis_version", "0.0").split("\\.", -1);
        int major = Integer.parseInt(version[0]);
        int minor = Integer.parseInt(version[1]);
        int oldest = OLDEST_SERVER.getFirst();
        if (major < oldest || (major == oldest && minor < OLDEST_SERVER.getLast())) {
            throw refused(address + " is Redis " + major + "." + minor + "; 6.2 is the oldest that works");
        }
        if (facts.getOrDefault("redis_mode", "").equals("cluster")) {
            return RedisReach.ONE_OWNER;
        }
        if (!facts.getOrDefault("role", "").equals("master")) {
            throw refused("it is a replica, which takes no writes: give the primary");
        }
        return RedisReach.EVERYTHING;
    }

    private static Map<String, String> facts(RedisConnections connections) {
        return RedisKeys.text((byte[]) connections.ask(connections.primaries().getFirst(), Command.INFO))
                .lines()
                .filter(line -> line.contains(":"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> line.substring(line.indexOf(':') + 1),
                        (one, two) -> one));
    }

    private static void refuseAnotherFormat(RedisAddress address, RedisConnections connections, String ours) {
        var call = RedisCall.of(RedisScript.OPEN, List.of(RedisKeys.FORMAT), List.of(RedisKeys.bytes(ours)));
        var format = RedisKeys.text((byte[]) connections.tell(call, node -> {}));
        if (!format.equals(ours)) {
            throw refused(
                    address + " is kept in format " + format + " by another version; this server knows format " + ours);
        }
    }

    private static StoreUnavailable refused(String why) {
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FAILED, why);
    }
}
