package dev.nonbis.core.operation;

import dev.nonbis.core.lease.Lease;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Settles which of several servers does which background work. The holder of a lease raises its beat again and again; who sees the same beat
 * for too long takes the lease over. Each server measures for itself how long it has looked, so clocks that differ change nothing.
 *
 * <pre>
 *   holder    beats ─── every 2 s ──▶ ✗        stops 5 s after the last beat that it knows to be written
 *   others          ─── look every second ──▶  take over when a beat stands for 6 s
 * </pre>
 *
 * Work that two servers did at once would still be right, because every change is checked by key; it would only be done in vain.
 */
public final class HoldLeases {

    /** How often {@link #runOnce} should be called. */
    public static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final Duration TRUSTED = Duration.ofSeconds(5);
    private static final Duration LAPSE = Duration.ofSeconds(6);

    private final Store store;
    private final LongSupplier nanoTime;
    private final String server;
    private final List<String> works;
    private final Map<String, Look> looks = new ConcurrentHashMap<>();

    /**
     * The leases of this server.
     *
     * @param nanoTime time that only goes forward
     * @param server a name that no other start of a server has
     */
    public HoldLeases(Store store, LongSupplier nanoTime, String server, List<String> works) {
        this.store = store;
        this.nanoTime = nanoTime;
        this.server = server;
        this.works = List.copyOf(works);
    }

    /** A lease as it was found, and since when it has been so. */
    private record Look(Lease lease, long sinceNanos) {}

    /** Whether this server does the work just now. */
    public boolean holds(String work) {
        var look = looks.get(work);
        return look != null && look.lease().isHeldBy(server) && isWithin(look, TRUSTED);
    }

    /** Looks at every lease, renews those held and takes those that lapsed. */
    public void runOnce() {
        for (var work : works) {
            long asked = nanoTime.getAsLong();
            var lease = store.find(Tables.LEASES, work).orElse(Lease.FREE);
            var look = looks.get(work);
            if (look == null || !look.lease().equals(lease)) {
                // Our own beat, of which we did not hear that it was written, may be old: it counts for nothing until
                // the next.
                look = new Look(lease, lease.isHeldBy(server) ? asked - TRUSTED.toNanos() : asked);
                looks.put(work, look);
            }
            if (isOurTurn(look)) {
                take(work, look.lease());
            }
        }
    }

    /** Lets others take over at once. */
    public void giveUp() {
        for (var work : works) {
            store.transact(List.of(Tables.LEASES.row(work)), tx -> {
                tx.find(Tables.LEASES, work)
                        .filter(lease -> lease.isHeldBy(server))
                        .ifPresent(lease -> tx.update(Tables.LEASES, work, lease.givenUp()));
                return true;
            });
        }
        looks.clear();
    }

    private boolean isOurTurn(Look look) {
        if (look.lease().isHeldBy(server)) {
            return !isWithin(look, BEAT);
        }
        return look.lease().holder().isEmpty() || !isWithin(look, LAPSE);
    }

    private void take(String work, Lease seen) {
        long asked = nanoTime.getAsLong();
        var mine = seen.takenBy(server);
        boolean taken = store.transact(List.of(Tables.LEASES.row(work)), tx -> {
            if (!tx.find(Tables.LEASES, work).orElse(Lease.FREE).equals(seen)) {
                return false;
            }
            tx.put(Tables.LEASES, work, mine);
            return true;
        });
        if (taken) {
            looks.put(work, new Look(mine, asked));
        }
    }

    private boolean isWithin(Look look, Duration time) {
        return nanoTime.getAsLong() - look.sinceNanos() < time.toNanos();
    }
}
