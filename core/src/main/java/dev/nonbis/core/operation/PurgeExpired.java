package dev.nonbis.core.operation;

import dev.nonbis.core.store.KeyCodec;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;

/** Removes keys whose retention has ended. Only their space is at stake: an expired key counts for nothing from the instant it expires. */
public final class PurgeExpired {

    private static final int BATCH = 500;

    private final Ports ports;

    public PurgeExpired(Ports ports) {
        this.ports = ports;
    }

    /** Removes one batch; returns how many keys it looked at, so that the caller goes on while that is not zero. */
    public int runOnce() {
        var now = ports.clock().instant();
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
