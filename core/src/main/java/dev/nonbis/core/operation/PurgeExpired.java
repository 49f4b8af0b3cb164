package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.StoredKey;
import dev.nonbis.core.store.KeyCodec;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Removes keys whose retention has ended. A damaged key stays, because it may be another time that was damaged; operators release it. Only their space is at stake: an expired key counts for nothing from the instant it
 * expires.
 */
public final class PurgeExpired {

    private static final int BATCH = 500;
    private static final int MAX_BATCHES = 40;

    private final Ports ports;

    public PurgeExpired(Ports ports) {
        this.ports = ports;
    }

    /** Removes batch after batch until nothing is left to look at, or many are done; a commit for each, so that callers are let in between. */
    public void runSeveral() {
        Optional<String> after = Optional.empty();
        for (int i = 0; i < MAX_BATCHES; i++) {
            after = purge(after).last();
            // A batch that is not full may have passed over entries without a row, so only an empty one is the last.
            if (after.isEmpty()) {
                return;
            }
        }
    }

    /** Removes one batch; returns how many keys it looked at. */
    public int runOnce() {
        return purge(Optional.empty()).looked();
    }

    /** How many keys a batch looked at, and the position of the last of them. */
    private record Purged(int looked, Optional<String> last) {}

    private Purged purge(Optional<String> after) {
        // For a slower server the key may still count.
        var now = Clocks.pastForAll(ports.clock().instant());
        var expired = ports.store()
                .read(tx -> tx.scan(Range.entriesUpTo(Tables.KEYS, Tables.KEYS_BY_EXPIRY, "", Tables.dueEntry(now))
                        .after(after)
                        .limit(BATCH)));
        var scopes = expired.stream()
                .flatMap(hit -> KeyCodec.scope(hit.key()).stream())
                .toList();
        if (scopes.isEmpty()) {
            return purged(expired);
        }
        ports.store().transact(scopes.stream().map(Tables.KEYS::row).collect(Collectors.toList()), tx -> {
            for (var scope : scopes) {
                // The key may have been taken anew since it was read.
                tx.find(Tables.KEYS, scope)
                        .flatMap(stored -> stored.intact(scope))
                        .filter(key -> !key.isLive(now))
                        .ifPresent(key -> tx.delete(Tables.KEYS, scope));
            }
            return scopes.size();
        });
        return purged(expired);
    }

    private static Purged purged(List<Range.Hit<StoredKey>> expired) {
        return new Purged(
                expired.size(),
                expired.isEmpty()
                        ? Optional.empty()
                        : Optional.of(expired.getLast().position()));
    }
}
