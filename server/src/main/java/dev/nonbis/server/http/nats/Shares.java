package dev.nonbis.server.http.nats;

import dev.nonbis.core.identity.TenantId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Divides a number of units among tenants. One may hold as much as is still free after it took more: alone it gets half, several share
 * evenly, and what one holds is never all. Callers without a credential count as one more tenant with a small share. A part is kept for
 * calls that must not wait.
 */
final class Shares {

    private static final int PART_KEPT = 8;
    private static final int PART_FOR_UNKNOWN = 16;

    private final long units;
    private final Map<Optional<TenantId>, Long> heldBy = new HashMap<>();
    private long held;

    Shares(long units) {
        this.units = units;
    }

    /** Takes this many, or none. */
    synchronized boolean take(Optional<TenantId> owner, long more, boolean urgent) {
        long capacity = urgent ? units : units - units / PART_KEPT;
        long ofOwner = heldBy.getOrDefault(owner, 0L) + more;
        if (ofOwner > capacity - held - more || (owner.isEmpty() && ofOwner > units / PART_FOR_UNKNOWN)) {
            return false;
        }
        add(owner, more);
        return true;
    }

    synchronized void giveBack(Optional<TenantId> owner, long taken) {
        add(owner, -taken);
    }

    private void add(Optional<TenantId> owner, long more) {
        held += more;
        heldBy.merge(owner, more, Long::sum);
        heldBy.remove(owner, 0L);
    }
}
