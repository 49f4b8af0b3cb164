package dev.nonbis.server.api;

import dev.nonbis.core.identity.TenantId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which workers have asked this server for work lately, and for which. */
public final class WorkersSeen {

    private static final int MAX_WORKERS = 2000;
    private static final Duration LATELY = Duration.ofMinutes(10);

    private final Map<Name, Asked> workers = new ConcurrentHashMap<>();

    private record Name(TenantId tenant, String worker) {}

    private record Asked(List<String> topics, long atNanos) {}

    /** A worker, what it takes, and how long ago it asked. */
    public record Seen(String worker, List<String> topics, Duration ago) {}

    void asked(TenantId tenant, String worker, List<String> topics) {
        if (workers.size() >= MAX_WORKERS) {
            long now = System.nanoTime();
            workers.values().removeIf(asked -> now - asked.atNanos() > LATELY.toNanos());
        }
        if (workers.size() < MAX_WORKERS) {
            workers.put(new Name(tenant, worker), new Asked(List.copyOf(topics), System.nanoTime()));
        }
    }

    /** Those of a tenant, by name. */
    public List<Seen> of(TenantId tenant) {
        long now = System.nanoTime();
        return workers.entrySet().stream()
                .filter(entry -> entry.getKey().tenant().equals(tenant))
                .map(entry -> new Seen(
                        entry.getKey().worker(),
                        entry.getValue().topics(),
                        Duration.ofNanos(now - entry.getValue().atNanos())))
                .filter(seen -> seen.ago().compareTo(LATELY) < 0)
                .sorted(Comparator.comparing(Seen::worker))
                .toList();
    }
}
