package dev.nonbis.core.bus;

import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Messages as rows of the store. What was handed out and not started comes back; what was started is remembered for the window. */
public final class EmbeddedBus implements LocalBus {

    /** How long a worker may hold a message without starting its job. */
    public static final Duration REDELIVERY = Duration.ofSeconds(30);

    // More than takers at once can hold.
    private static final int MAX_BEING_TAKEN = 1000;
    private static final int PURGE_BATCH = 500;
    // One take in so many looks into the store first, where what comes again and what others published waits.
    private static final int LOOK_EVERY = 8;

    private final Store store;
    private final InstantSource clock;
    // Takers on this server do not look at what another is just about to take.
    private final Set<QueuedMessage.Key> beingTaken = ConcurrentHashMap.newKeySet();
    private final FreshMessages fresh = new FreshMessages();
    private final AtomicInteger turn = new AtomicInteger();

    public EmbeddedBus(Store store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    @Override
    public Published publish(Message message) {
        Instant now = clock.instant();
        var published = store.transact(reads(message), tx -> enqueue(tx, message, now));
        if (published == Published.ACCEPTED) {
            committed(List.of(message));
        }
        return published;
    }

    @Override
    public void committed(List<Message> messages) {
        fresh.add(messages);
    }

    @Override
    public Published enqueue(Tx tx, Message message, Instant now) {
        var key = new QueuedMessage.Key(message.tenant(), message.id());
        var before = tx.find(Tables.MESSAGES, key);
        if (before.filter(queued -> queued.isInWindow(now)).isPresent()) {
            return Published.DUPLICATE;
        }
        tx.put(Tables.MESSAGES, key, QueuedMessage.accepted(message, now));
        return Published.ACCEPTED;
    }

    @Override
    public List<RowRef<?, ?>> reads(Message message) {
        return List.of(Tables.MESSAGES.row(new QueuedMessage.Key(message.tenant(), message.id())));
    }

    @Override
    public List<Message> take(TenantId tenant, List<String> subjects, int max) {
        Instant now = clock.instant();
        int mine = turn.getAndIncrement();
        if (mine % LOOK_EVERY != 0) {
            var hinted = take(fresh.take(tenant, subjects, Math.floorMod(mine, subjects.size()), max), now);
            if (!hinted.isEmpty()) {
                return hinted;
            }
        }
        return take(candidates(tenant, subjects, max, mine, now), now);
    }

    private List<Message> take(List<QueuedMessage.Key> candidates, Instant now) {
        if (candidates.isEmpty()) {
            return List.of();
        }
        beingTaken.addAll(candidates);
        try {
            var rows =
                    candidates.stream().<RowRef<?, ?>>map(Tables.MESSAGES::row).toList();
            return store.transact(rows, tx -> {
                var taken = new ArrayList<Message>();
                for (var key : candidates) {
                    tx.find(Tables.MESSAGES, key)
                            .filter(queued -> queued.isVisible(now))
                            .ifPresent(queued -> {
                                tx.update(Tables.MESSAGES, key, queued.handedOut(now.plus(REDELIVERY)));
                                taken.add(queued.message());
                            });
                }
                return taken;
            });
        } finally {
            candidates.forEach(beingTaken::remove);
        }
    }

    @Override
    public void settle(Message message) {
        store.transact(reads(message), tx -> {
            Queue.spend(tx, message);
            return message;
        });
    }

    /** Forgets spent messages whose window has ended, one batch; returns how many it looked at. */
    public int purge() {
        Instant now = clock.instant();
        var old = store.read(
                tx -> tx.scan(Range.entriesUpTo(Tables.MESSAGES, Tables.MESSAGES_BY_WINDOW, "", Tables.dueEntry(now))
                        .limit(PURGE_BATCH)));
        if (!old.isEmpty()) {
            var keys = old.stream().map(hit -> hit.row().key()).toList();
            store.transact(keys.stream().<RowRef<?, ?>>map(Tables.MESSAGES::row).toList(), tx -> {
                keys.forEach(key -> tx.find(Tables.MESSAGES, key)
                        .filter(queued -> queued.isSpent() && !queued.isInWindow(now))
                        .ifPresent(queued -> tx.delete(Tables.MESSAGES, key)));
                return keys;
            });
        }
        return old.size();
    }

    // One from each subject in turn, and not always the same one first, so that a full queue starves none beside it.
    private List<QueuedMessage.Key> candidates(TenantId tenant, List<String> subjects, int max, int turn, Instant now) {
        var queues = store.read(tx -> subjects.stream()
                .map(subject -> visible(tx, tenant, subject, max, now))
                .toList());
        int first = Math.floorMod(turn, Math.max(1, queues.size()));
        var picked = new ArrayList<QueuedMessage.Key>();
        int deepest = queues.stream().mapToInt(List::size).max().orElse(0);
        for (int depth = 0; depth < deepest; depth++) {
            for (int i = 0; i < queues.size() && picked.size() < max; i++) {
                int subject = (first + i) % queues.size();
                var queue = queues.get(subject);
                if (depth < queue.size() && beingTaken.add(queue.get(depth))) {
                    picked.add(queue.get(depth));
                    fresh.forget(new DepthKey(tenant, subjects.get(subject)), queue.get(depth));
                }
            }
        }
        return picked;
    }

    private List<QueuedMessage.Key> visible(ReadTx tx, TenantId tenant, String subject, int max, Instant now) {
        String queue = Tables.queueEntry(tenant, subject);
        // The index ends before this text, and what becomes visible exactly now is visible.
        String end = queue + Tables.dueEntry(now.plusNanos(1000));
        return tx
                .scan(Range.entriesUpTo(Tables.MESSAGES, Tables.MESSAGES_BY_VISIBLE, queue, end)
                        .limit(max + Math.min(beingTaken.size(), MAX_BEING_TAKEN)))
                .stream()
                .map(hit -> hit.row().key())
                .filter(key -> !beingTaken.contains(key))
                .toList();
    }
}
