package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.CancelHistory.Created;
import dev.nonbis.bench.torture.RunLimitCheck.Active;
import dev.nonbis.bench.torture.World.Known;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the client side of a campaign knows: every key, every cancel, every violation. */
final class History {

    private static final int RECENT = 200;

    private final Map<KeyName, KeyHistory> keys = new ConcurrentHashMap<>();
    private final List<KeyHistory> inOrder = new ArrayList<>();
    private final Map<String, CancelHistory> cancels = new ConcurrentHashMap<>();
    private final Map<String, Queue<String>> activeRuns = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    final Queue<KeyHistory> unansweredKeys = new ConcurrentLinkedQueue<>();
    final Queue<CancelHistory> unansweredCancels = new ConcurrentLinkedQueue<>();
    final Violations violations = new Violations();
    final LongAdder requests = new LongAdder();
    final LongAdder retried = new LongAdder();
    final LongAdder replaysVerified = new LongAdder();
    final LongAdder mismatchesRefused = new LongAdder();

    long nextNumber() {
        return numbers.incrementAndGet();
    }

    KeyHistory key(KeyName name) {
        return keys.computeIfAbsent(name, n -> {
            var history = new KeyHistory(n);
            synchronized (inOrder) {
                inOrder.add(history);
            }
            return history;
        });
    }

    /** Any earlier key; half of the time one of the latest, where a kill hurts most. */
    Optional<KeyHistory> anyKey(SplittableRandom random) {
        synchronized (inOrder) {
            if (inOrder.isEmpty()) {
                return Optional.empty();
            }
            int from = random.nextBoolean() ? Math.max(0, inOrder.size() - RECENT) : 0;
            return Optional.of(inOrder.get(random.nextInt(from, inOrder.size())));
        }
    }

    List<KeyHistory> allKeys() {
        synchronized (inOrder) {
            return List.copyOf(inOrder);
        }
    }

    List<KeyHistory> settledKeys() {
        return allKeys().stream().filter(key -> key.settled().isPresent()).toList();
    }

    /** Runs of the tenant that were acknowledged and that nobody has cancelled yet. */
    Queue<String> activeRuns(String tenant) {
        return activeRuns.computeIfAbsent(tenant, t -> new ConcurrentLinkedQueue<>());
    }

    CancelHistory cancel(String tenant, Created created) {
        return cancels.computeIfAbsent(created.id(), id -> new CancelHistory(tenant, created, System.nanoTime()));
    }

    long cancelled() {
        return cancels.values().stream().filter(CancelHistory::acknowledged).count();
    }

    Known known(String tenant) {
        Set<String> cancelSent = new HashSet<>();
        Set<String> cancelled = new HashSet<>();
        cancels.values().stream().filter(c -> c.tenant().equals(tenant)).forEach(c -> {
            cancelSent.add(c.id());
            if (c.acknowledged()) {
                cancelled.add(c.id());
            }
        });
        return new Known(ids(tenant, Operation.JOBS), ids(tenant, Operation.RUNS), cancelSent, cancelled);
    }

    private Set<String> ids(String tenant, Operation operation) {
        Set<String> ids = new HashSet<>();
        for (var key : settledKeys()) {
            if (key.name().tenant().equals(tenant) && key.name().operation() == operation) {
                key.settled().ifPresent(settled -> ids.add(settled.id()));
            }
        }
        return ids;
    }

    List<Active> activeIntervals(String tenant) {
        List<Active> intervals = new ArrayList<>();
        for (var key : settledKeys()) {
            if (key.name().tenant().equals(tenant) && key.name().operation() == Operation.RUNS) {
                key.settled()
                        .ifPresent(settled ->
                                intervals.add(new Active(settled.id(), settled.atNanos(), endOf(settled.id()))));
            }
        }
        return intervals;
    }

    private long endOf(String run) {
        var cancel = cancels.get(run);
        return cancel == null ? Long.MAX_VALUE : cancel.firstSentNanos();
    }
}
