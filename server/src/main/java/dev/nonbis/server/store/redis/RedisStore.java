package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import redis.clients.jedis.Protocol.Command;

/** A Redis server, used by any number of servers of ours. */
public final class RedisStore {

    /** Raised when servers of the version before can no longer work on what is written. */
    private static final String FORMAT = "1";

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
        var connections = new RedisConnections(address, settings.connections());
        try {
            refuseUnlessUsable(address, connections);
            var guard = new RedisGuard(address, connections, settings.strict());
            var weaknesses = guard.weaknesses();
            refuseIfTooNew(address, connections);
            return new Opened(new RedisBackend(connections, guard), weaknesses);
        } catch (StoreUnavailable e) {
            connections.close();
            throw new StoreUnavailable(
                    e.fate(), e.why(), "cannot use the database " + address + ": " + e.getMessage(), e);
        }
    }

    private static void refuseUnlessUsable(RedisAddress address, RedisConnections connections) {
        var facts = facts(connections);
        var version = facts.getOrDefault("redis_version", "0.0").split("\\.", -1);
        int major = Integer.parseInt(version[0]);
        int minor = Integer.parseInt(version[1]);
        int oldest = OLDEST_SERVER.getFirst();
        if (major < oldest || (major == oldest && minor < OLDEST_SERVER.getLast())) {
            throw refused(address + " is Redis " + major + "." + minor + "; 6.2 is the oldest that works");
        }
        if (facts.getOrDefault("redis_mode", "").equals("cluster")) {
            throw refused("it is a Redis cluster, where no commit can reach two slots: give a server that is not one,"
                    + " and shard tenants over several servers");
        }
        if (!facts.getOrDefault("role", "").equals("master")) {
            throw refused("it is a replica, which takes no writes: give the primary");
        }
    }

    private static Map<String, String> facts(RedisConnections connections) {
        return RedisKeys.text((byte[]) connections.ask(Command.INFO))
                .lines()
                .filter(line -> line.contains(":"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> line.substring(line.indexOf(':') + 1),
                        (one, two) -> one));
    }

    private static void refuseIfTooNew(RedisAddress address, RedisConnections connections) {
        var format = RedisKeys.text((byte[]) connections.tell(
                RedisScript.OPEN,
                List.of(RedisKeys.FORMAT, RedisKeys.UNDO, RedisKeys.COMMIT),
                List.of(RedisKeys.bytes(FORMAT))));
        if (!format.equals(FORMAT)) {
            throw refused(address + " is kept in format " + format + " by another version; this server knows format "
                    + FORMAT);
        }
    }

    private static StoreUnavailable refused(String why) {
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FAILED, why);
    }
}
