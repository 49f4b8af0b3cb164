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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Messages as rows of the store. What was handed out and not started comes back; what was started is remembered for the window. */
public final class EmbeddedBus implements LocalBus {

    /** How long a worker may hold a message without starting its job. */
    public static final Duration REDELIVERY = Duration.ofSeconds(30);

    // One look into the store serves many takers.
    private static final int LOOK_ROWS = 128;
    // More than takers at once can hold.
    private static final int MAX_IN_HAND = 1000;
    private static final int PURGE_BATCH = 500;
    private static final int MAX_ROUNDS = 1000;

    private final Store store;
    private final InstantSource clock;
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
        Instant now = clock.instant();
        messages.stream()
                .collect(Collectors.groupingBy(
                        message -> new DepthKey(message.tenant(), message.subject()),
                        LinkedHashMap::new,
                        Collectors.mapping(EmbeddedBus::key, Collectors.toList())))
                .forEach((queue, keys) -> fresh.add(queue, keys, now));
    }

    @Override
    public Published enqueue(Tx tx, Message message, Instant now) {
        var key = key(message);
        var before = tx.find(Tables.MESSAGES, key);
        if (before.filter(queued -> queued.isInWindow(now)).isPresent()) {
            return Published.DUPLICATE;
        }
        tx.put(Tables.MESSAGES, key, QueuedMessage.accepted(message, now));
        return Published.ACCEPTED;
    }

    @Override
    public List<RowRef<?, ?>> reads(Message message) {
        return List.of(Tables.MESSAGES.row(key(message)));
    }

    private static QueuedMessage.Key key(Message message) {
        return new QueuedMessage.Key(message.tenant(), message.id());
    }

    @Override
    public List<Message> take(TenantId tenant, List<String> subjects, int max, long bytes) {
        Instant now = clock.instant();
        var queues =
                subjects.stream().map(subject -> new DepthKey(tenant, subject)).toList();
        int first = Math.floorMod(turn.getAndIncrement(), subjects.size());
        // Messages that are known here and gone from the store must not hide those behind them.
        for (int round = 0; round < MAX_ROUNDS; round++) {
            look(queues, max, now);
            var candidates = fresh.take(tenant, subjects, first, max);
            var taken = take(candidates, bytes, now);
            if (candidates.isEmpty() || !taken.isEmpty()) {
                return taken;
            }
        }
        return List.of();
    }

    private List<Message> take(List<QueuedMessage.Key> candidates, long bytes, Instant now) {
        if (candidates.isEmpty()) {
            return List.of();
        }
        int looked = candidates.size();
        try {
            var rows =
                    candidates.stream().<RowRef<?, ?>>map(Tables.MESSAGES::row).toList();
            var taken = store.transact(rows, tx -> take(tx, candidates, bytes, now));
            looked = taken.candidates();
            return taken.messages();
        } finally {
            fresh.done(candidates, looked);
        }
    }

    /** What was taken of the first so many candidates. */
    private record Taken(List<Message> messages, int candidates) {}

    private static Taken take(Tx tx, List<QueuedMessage.Key> candidates, long bytes, Instant now) {
        var taken = new ArrayList<Message>();
        long left = bytes;
        int looked = 0;
        while (looked < candidates.size() && left > 0) {
            var key = candidates.get(looked++);
            var queued = tx.find(Tables.MESSAGES, key).filter(found -> found.isVisible(now));
            if (queued.isPresent()) {
                tx.update(Tables.MESSAGES, key, queued.get().handedOut(now.plus(REDELIVERY)));
                taken.add(queued.get().message());
                left -= queued.get().message().bytes();
            }
        }
        return new Taken(taken, looked);
    }

    @Override
    public void giveBack(Message message) {
        Instant now = clock.instant();
        store.transact(reads(message), tx -> {
            tx.find(Tables.MESSAGES, key(message))
                    .filter(queued -> !queued.isSpent())
                    .ifPresent(queued -> tx.update(Tables.MESSAGES, key(message), queued.givenBack(now)));
            return message;
        });
        committed(List.of(message));
    }

    private void look(List<DepthKey> queues, int max, Instant now) {
        if (fresh.isOverdue(queues, now) || !fresh.knowsAny(queues)) {
            ask(queues, max, now);
        }
    }

    private void ask(List<DepthKey> queues, int max, Instant now) {
        var found = store.read(
                tx -> queues.stream().map(queue -> visible(tx, queue, max, now)).toList());
        for (int i = 0; i < queues.size(); i++) {
            fresh.add(queues.get(i), found.get(i), now);
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

    private List<QueuedMessage.Key> visible(ReadTx tx, DepthKey queue, int max, Instant now) {
        String entry = Tables.queueEntry(queue.tenant(), queue.topic());
        // The index ends before this text, and what becomes visible exactly now is visible.
        String end = entry + Tables.dueEntry(now.plusNanos(1000));
        return tx
                .scan(Range.entriesUpTo(Tables.MESSAGES, Tables.MESSAGES_BY_VISIBLE, entry, end)
                        .limit(Math.max(max, LOOK_ROWS) + Math.min(fresh.inHand(), MAX_IN_HAND)))
                .stream()
                .map(hit -> hit.row().key())
                .toList();
    }
}
