package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.util.Set;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** What errors of Redis mean to us. By its protocol, the first word of an error is its code. */
final class RedisErrors {

    private static final String OUT_OF_MEMORY = "OOM";
    // It was the primary's connection and is a replica's, or its server is not there yet: only a new one may lead
    // elsewhere.
    private static final Set<String> ELSEWHERE = Set.of("READONLY", "MASTERDOWN", "LOADING");

    private RedisErrors() {}

    /** For a call that the server has answered with an error, or that was never sent: scripts write only after all that can fail. */
    static StoreUnavailable didNotHappen(JedisException error) {
        var why = code(error).equals(OUT_OF_MEMORY) ? Cause.FULL : Cause.FAILED;
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, why, message(error), error);
    }

    /** For a script that writes, was sent, and was not answered. */
    static StoreUnavailable unknown(JedisException error) {
        return new StoreUnavailable(
                Fate.UNKNOWN, Cause.FAILED, "the answer to a commit was lost: " + message(error), error);
    }

    static boolean leadsElsewhere(JedisDataException error) {
        return ELSEWHERE.contains(code(error));
    }

    private static String message(JedisException error) {
        var message = String.valueOf(error.getMessage());
        return error.getCause() == null
                ? message
                : message + ": " + error.getCause().getMessage();
    }

    private static String code(JedisException error) {
        if (!(error instanceof JedisDataException)) {
            return "";
        }
        var words = String.valueOf(error.getMessage());
        int space = words.indexOf(' ');
        return space < 0 ? words : words.substring(0, space);
    }
}
