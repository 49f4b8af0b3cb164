package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.util.List;

/** Looks again before the first write after a lost connection: a server that was restarted may have other settings. */
final class RedisGuard {

    private final RedisAddress address;
    private final RedisConnections connections;
    private final boolean strict;
    private volatile int checked = -1;

    RedisGuard(RedisAddress address, RedisConnections connections, boolean strict) {
        this.address = address;
        this.connections = connections;
        this.strict = strict;
    }

    /**
     * What the server may lose, in a sentence each.
     *
     * @throws StoreUnavailable when durability is strict and there is something
     */
    List<String> weaknesses() {
        int losses = connections.losses();
        var weaknesses = RedisDurability.weaknesses(connections);
        if (strict && !weaknesses.isEmpty()) {
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN,
                    Cause.FAILED,
                    "durability is strict, and " + address + " can lose an acknowledged write: "
                            + String.join("; ", weaknesses) + ". Or accept the loss with durability: relaxed");
        }
        checked = losses;
        return weaknesses;
    }

    void check() {
        if (strict && checked != connections.losses()) {
            weaknesses();
        }
    }
}
