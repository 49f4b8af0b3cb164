package dev.nonbis.core.bus;

import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.identity.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Names of messages that this server knows to wait, oldest first, and of those that somebody here is just about to take. They are hints:
 * whoever takes one looks at the message itself, and what is not here is found in the store.
 */
final class FreshMessages {

    // Queues that nobody takes from must not fill the memory.
    private static final int MOST = 20_000;
    // What comes again and what others published is in the store only; it must not wait until all that is here is gone.
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    private final Map<DepthKey, Waiting> byQueue = new HashMap<>();
    private final Map<QueuedMessage.Key, DepthKey> inHand = new HashMap<>();
    private int size;

    /** One queue, and when the store was last asked for it. */
    private static final class Waiting {
        final LinkedHashSet<QueuedMessage.Key> keys = new LinkedHashSet<>();
        Instant lookedAt;

        Waiting(Instant lookedAt) {
            this.lookedAt = lookedAt;
        }
    }

    /** These wait, behind those that are known already. */
    synchronized void add(DepthKey queue, Collection<QueuedMessage.Key> keys, Instant now) {
        for (var key : keys) {
            if (size < MOST
                    && !inHand.containsKey(key)
                    && byQueue.computeIfAbsent(queue, q -> new Waiting(now))
                            .keys
                            .add(key)) {
                size++;
            }
        }
    }

    synchronized boolean knowsAny(List<DepthKey> queues) {
        return queues.stream().anyMatch(byQueue::containsKey);
    }

    /** Whether it is long ago that the store was asked for one of these queues. Whoever is told so asks it. */
    synchronized boolean isOverdue(List<DepthKey> queues, Instant now) {
        boolean overdue = false;
        for (var queue : queues) {
            var waiting = byQueue.get(queue);
            // A clock that was set back must not end the looking.
            if (waiting != null && Duration.between(waiting.lookedAt, now).abs().compareTo(LOOK_EVERY) > 0) {
                waiting.lookedAt = now;
                overdue = true;
            }
        }
        return overdue;
    }

    /** Takes at most this many in hand, one of each subject in turn beginning with this one. */
    synchronized List<QueuedMessage.Key> take(TenantId tenant, List<String> subjects, int first, int max) {
        var taken = new ArrayList<QueuedMessage.Key>();
        int before = -1;
        while (taken.size() < max && taken.size() > before) {
            before = taken.size();
            for (int i = 0; i < subjects.size() && taken.size() < max; i++) {
                var queue = new DepthKey(tenant, subjects.get((first + i) % subjects.size()));
                var waiting = byQueue.get(queue);
                if (waiting != null) {
                    var key = waiting.keys.removeFirst();
                    inHand.put(key, queue);
                    taken.add(key);
                    size--;
                    if (waiting.keys.isEmpty()) {
                        byQueue.remove(queue);
                    }
                }
            }
        }
        return taken;
    }

    /** So many of them were taken, or not, the store knows; the others were not looked at and wait as before. */
    synchronized void done(List<QueuedMessage.Key> keys, int looked) {
        for (int i = keys.size() - 1; i >= 0; i--) {
            var queue = inHand.remove(keys.get(i));
            if (i >= looked && queue != null) {
                putFirst(queue, keys.get(i));
            }
        }
    }

    private void putFirst(DepthKey queue, QueuedMessage.Key key) {
        // Without a time of its own: the store is asked soon.
        byQueue.computeIfAbsent(queue, q -> new Waiting(Instant.EPOCH)).keys.addFirst(key);
        size++;
    }

    synchronized int inHand() {
        return inHand.size();
    }
}
