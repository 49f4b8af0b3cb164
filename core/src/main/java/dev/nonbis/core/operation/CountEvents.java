package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How many events a tenant's log had in each stretch of time up to now. Found by halving, so that a long log costs hardly more. */
public final class CountEvents {

    private final Store store;

    public CountEvents(Store store) {
        this.store = store;
    }

    /** One count for each step, the oldest first. */
    public List<Long> count(TenantId tenant, Instant now, Duration step, int steps) {
        return store.read(tx -> {
            long first =
                    tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY).dropped();
            long last = tx.find(Tables.TENANTS, tenant)
                    .orElse(TenantState.NEW)
                    .audit()
                    .seq();
            var counts = new ArrayList<Long>();
            Instant from = now;
            for (int i = 0; i < steps; i++) {
                from = from.minus(step);
                long before = lastUpTo(tx, tenant, from, first, last);
                counts.add(last - before);
                last = before;
            }
            Collections.reverse(counts);
            return counts;
        });
    }

    /** The last event not after the time, between two places; events stand in the order of their times. */
    private static long lastUpTo(ReadTx tx, TenantId tenant, Instant time, long first, long last) {
        long low = first;
        long high = last;
        // Most steps lie near the end, so the stretch is widened from there before it is halved.
        for (long width = 1; high > low && isAfter(tx, tenant, high, time); width *= 4) {
            last = high - 1;
            high = Math.max(low, high - width);
        }
        low = high;
        high = last;
        while (low < high) {
            long middle = (low + high + 1) >>> 1;
            if (isAfter(tx, tenant, middle, time)) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        return low;
    }

    private static boolean isAfter(ReadTx tx, TenantId tenant, long seq, Instant time) {
        return AuditLog.find(tx, tenant, seq)
                .map(event -> event.at().isAfter(time))
                .orElse(false);
    }
}
