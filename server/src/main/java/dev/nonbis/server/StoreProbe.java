package dev.nonbis.server;

import dev.nonbis.core.lease.Lease;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.WatchedStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Asks the store whether it can be used. One answer serves all callers of the next second, so that probes cost the store the same however
 * many there are. The reason of a failure goes to the log: callers of a health check need no credential.
 */
final class StoreProbe {

    private static final Logger LOG = System.getLogger(StoreProbe.class.getName());
    private static final long VALID_NANOS = Duration.ofSeconds(1).toNanos();

    /** A row of no tenant; writing it back unchanged shows that the store takes writes. */
    private static final String ROW = "readyz";

    private record Finding(boolean usable, long atNanos) {}

    private final WatchedStore store;
    private final LongSupplier nanoTime;
    private Finding last;

    StoreProbe(WatchedStore store, LongSupplier nanoTime) {
        this.store = store;
        this.nanoTime = nanoTime;
        this.last = new Finding(true, nanoTime.getAsLong() - VALID_NANOS);
    }

    synchronized boolean isUsable() {
        if (nanoTime.getAsLong() - last.atNanos() >= VALID_NANOS) {
            boolean usable = ask();
            last = new Finding(usable, nanoTime.getAsLong());
        }
        return last.usable();
    }

    private boolean ask() {
        try {
            store.find(Tables.LEASES, ROW);
            if (store.trouble().isPresent()) {
                // Only a write can show that writes succeed again.
                store.transact(List.of(Tables.LEASES.row(ROW)), tx -> {
                    tx.put(Tables.LEASES, ROW, tx.find(Tables.LEASES, ROW).orElse(Lease.FREE));
                    return true;
                });
            }
            return true;
        } catch (StoreUnavailable e) {
            if (last.usable()) {
                LOG.log(Level.WARNING, "the store cannot be used, so /readyz answers 503", e);
            }
            return false;
        }
    }
}
