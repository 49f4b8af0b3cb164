package dev.nonbis.server.store.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.Protocol.Command;

/**
 * One thing asked of Redis.
 *
 * @param key says which server of a cluster is asked
 * @param script what to load when the server does not know it
 */
record RedisCall(byte[] key, Command command, List<byte[]> arguments, Optional<RedisScript> script) {

    /** A command whose first argument is a key, with further keys that have the same hash tag. */
    static RedisCall of(Command command, List<byte[]> arguments) {
        return new RedisCall(arguments.getFirst(), command, arguments, Optional.empty());
    }

    /** A script over keys that all have the same hash tag, on a cluster. */
    static RedisCall of(RedisScript script, List<byte[]> keys, List<byte[]> arguments) {
        var all = new ArrayList<byte[]>(2 + keys.size() + arguments.size());
        all.add(RedisKeys.bytes(script.digest()));
        all.add(RedisKeys.bytes(Integer.toString(keys.size())));
        all.addAll(keys);
        all.addAll(arguments);
        return new RedisCall(keys.getFirst(), Command.EVALSHA, all, Optional.of(script));
    }
}
