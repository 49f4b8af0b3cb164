package dev.nonbis.server.metrics;

import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.TenantId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * What was stopped lately, tenant by tenant, for people who look. It is in memory and of this server alone; what counts for ever stands
 * in timelines and counters.
 */
public final class Recent {

    /** How many minutes are remembered. */
    public static final int MINUTES = 60;

    private static final int MAX_REPEATS = 300;
    private static final int MAX_TENANTS = 1000;
    private static final long NANOS_PER_MINUTE = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanos;
    private final long startNanos;
    private final Map<TenantId, Lately> tenants = new ConcurrentHashMap<>();

    Recent(LongSupplier nanos) {
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
    }

    /** How a request that came again was answered. */
    public enum Answered {
        REPLAYED,
        MISMATCHED
    }

    /** A member that is not as it was first, and what was sent in its place, masked. */
    public record Difference(String pointer, String sent) {}

    /** A request that came again under a settled key. */
    public record Repeat(
            Operation operation,
            String key,
            String subject,
            Answered answered,
            String requestId,
            List<Difference> differences) {

        public Repeat {
            differences = List.copyOf(differences);
        }
    }

    /** A repeat, and how long ago it was. */
    public record Seen(Repeat repeat, Duration ago) {}

    private record Entry(Repeat repeat, long atNanos) {}

    /** One tenant's. */
    private static final class Lately {
        private final List<Map<Metrics.Layer, Long>> counts = new ArrayList<>(Collections.nCopies(MINUTES, Map.of()));
        private final long[] minutes = new long[MINUTES];
        private final Deque<Entry> repeats = new ArrayDeque<>();
    }

    void blocked(TenantId tenant, Metrics.Layer layer) {
        var lately = of(tenant);
        long minute = minute();
        int slot = (int) Math.floorMod(minute, (long) MINUTES);
        synchronized (lately) {
            if (lately.minutes[slot] != minute) {
                lately.minutes[slot] = minute;
                lately.counts.set(slot, new EnumMap<>(Metrics.Layer.class));
            }
            lately.counts.get(slot).merge(layer, 1L, Long::sum);
        }
    }

    public void repeated(TenantId tenant, Repeat repeat) {
        var lately = of(tenant);
        synchronized (lately) {
            lately.repeats.addFirst(new Entry(repeat, nanos.getAsLong()));
            if (lately.repeats.size() > MAX_REPEATS) {
                lately.repeats.removeLast();
            }
        }
    }

    /** Duplicates stopped in each of the last minutes by each layer, the oldest minute first. */
    public List<Map<Metrics.Layer, Long>> blocked(TenantId tenant) {
        var lately = of(tenant);
        long now = minute();
        var all = new ArrayList<Map<Metrics.Layer, Long>>();
        synchronized (lately) {
            for (long minute = now - MINUTES + 1; minute <= now; minute++) {
                int slot = (int) Math.floorMod(minute, (long) MINUTES);
                all.add(lately.minutes[slot] == minute ? Map.copyOf(lately.counts.get(slot)) : Map.of());
            }
        }
        return all;
    }

    /** The last repeats, newest first. */
    public List<Seen> repeats(TenantId tenant) {
        var lately = of(tenant);
        long now = nanos.getAsLong();
        synchronized (lately) {
            return lately.repeats.stream()
                    .map(entry -> new Seen(entry.repeat(), Duration.ofNanos(now - entry.atNanos())))
                    .toList();
        }
    }

    // A full house forgets everybody: that costs a picture, and only servers with very many tenants.
    private Lately of(TenantId tenant) {
        if (tenants.size() >= MAX_TENANTS && !tenants.containsKey(tenant)) {
            tenants.clear();
        }
        return tenants.computeIfAbsent(tenant, t -> new Lately());
    }

    // Counted from the start, and so far above zero that no untouched slot is taken for a minute.
    private long minute() {
        return (nanos.getAsLong() - startNanos) / NANOS_PER_MINUTE + 2L * MINUTES;
    }
}
