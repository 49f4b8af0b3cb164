package dev.nonbis.core.operation;

import dev.nonbis.core.store.KeyCodec;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;

/** Removes keys whose retention has ended. Only their space is at stake: an expired key counts for nothing from the instant it expires. */
public final class PurgeExpired {

    private static final int BATCH = 500;
    private static final int MAX_BATCHES = 40;

    private final Ports ports;

    public PurgeExpired(Ports ports) {
        this.ports = ports;
    }

    /** Removes batch after batch until none is full, or many are done; a commit for each, so that callers are let in between. */
    public void runSeveral() {
        for (int i = 0; i < MAX_BATCHES && runOnce() == BATCH; i++) {
            // The work is in the condition.
        }
    }

    /** Removes one batch; returns how many keys it looked at. */
    public int runOnce() {
        // For a slower server the key may still count.
        var now = Clocks.pastForAll(ports.clock().instant());
        var expired = ports.store()
                .read(tx -> tx.scan(Range.entriesUpTo(Tables.KEYS, Tables.KEYS_BY_EXPIRY, "", Tables.dueEntry(now))
                        .limit(BATCH)));
        if (expired.isEmpty()) {
            return 0;
        }
        var scopes = expired.stream().map(hit -> KeyCodec.scope(hit.key())).toList();
        ports.store()
                .transact(scopes.stream().map(Tables.KEYS::row).collect(java.util.stream.Collectors.toList()), tx -> {
                    for (var scope : scopes) {
                        // The key may have been taken anew since it was read.
                        tx.find(Tables.KEYS, scope)
                                .filter(key -> !key.isLive(now))
                                .ifPresent(key -> tx.delete(Tables.KEYS, scope));
                    }
                    return scopes.size();
                });
        return expired.size();
    }
}
