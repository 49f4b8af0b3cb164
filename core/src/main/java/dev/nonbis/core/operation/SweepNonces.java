package dev.nonbis.core.operation;

import dev.nonbis.core.store.PaymentCodec;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Forgets nonces whose envelopes have expired. Only their space is at stake: the expiry refuses what the nonce would have. They are kept
 * for a day beyond that, because a clock that is set back makes an expired envelope acceptable again.
 */
public final class SweepNonces {

    private static final int BATCH = 500;
    private static final int MAX_BATCHES = 100;
    private static final Duration LARGEST_STEP_BACK = Duration.ofDays(1);

    private final Ports ports;

    public SweepNonces(Ports ports) {
        this.ports = ports;
    }

    /** Forgets batch after batch while there are any, up to a bound. */
    public void runSeveral() {
        for (int i = 0; i < MAX_BATCHES && runOnce() == BATCH; i++) {
            // The work is in the condition.
        }
    }

    /** Forgets one batch; returns how many it looked at. */
    public int runOnce() {
        var before = ports.clock().instant().minus(LARGEST_STEP_BACK);
        var old = ports.store()
                .read(tx ->
                        tx.scan(Range.entriesUpTo(Tables.NONCES, Tables.NONCES_BY_EXPIRY, "", Tables.dueEntry(before))
                                .limit(BATCH)));
        if (old.isEmpty()) {
            return 0;
        }
        var keys = old.stream().map(hit -> PaymentCodec.nonceKey(hit.key())).toList();
        List<RowRef<?, ?>> reads = new ArrayList<>();
        keys.forEach(key -> reads.add(Tables.NONCES.row(key)));
        return ports.store().transact(reads, tx -> {
            for (var key : keys) {
                // The nonce may have been taken anew since it was read.
                tx.find(Tables.NONCES, key)
                        .filter(nonce -> !nonce.isNeeded(before))
                        .ifPresent(nonce -> tx.delete(Tables.NONCES, key));
            }
            return keys.size();
        });
    }
}
