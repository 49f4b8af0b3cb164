package dev.nonbis.core.bus;

import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.identity.TenantId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Names of messages that this server has put into the queue and given to nobody yet, oldest first. They are hints: whoever takes one
 * looks at the message itself, and what is not here is found in the store.
 */
final class FreshMessages {

    // Queues that nobody takes from must not fill the memory.
    private static final int MOST = 20_000;

    private final Map<DepthKey, LinkedHashSet<QueuedMessage.Key>> byQueue = new HashMap<>();
    private int size;

    synchronized void add(List<Message> messages) {
        for (var message : messages) {
            if (size < MOST
                    && byQueue.computeIfAbsent(queue(message.tenant(), message.subject()), q -> new LinkedHashSet<>())
                            .add(new QueuedMessage.Key(message.tenant(), message.id()))) {
                size++;
            }
        }
    }

    /** Takes at most this many, one of each subject in turn beginning with this one. */
    synchronized List<QueuedMessage.Key> take(TenantId tenant, List<String> subjects, int first, int max) {
        var taken = new ArrayList<QueuedMessage.Key>();
        int before = -1;
        while (taken.size() < max && taken.size() > before) {
            before = taken.size();
            for (int i = 0; i < subjects.size() && taken.size() < max; i++) {
                var queue = queue(tenant, subjects.get((first + i) % subjects.size()));
                var waiting = byQueue.get(queue);
                if (waiting != null) {
                    taken.add(waiting.removeFirst());
                    size--;
                    if (waiting.isEmpty()) {
                        byQueue.remove(queue);
                    }
                }
            }
        }
        return taken;
    }

    /** Somebody found this one in the store. */
    synchronized void forget(DepthKey queue, QueuedMessage.Key key) {
        var waiting = byQueue.get(queue);
        if (waiting != null && waiting.remove(key)) {
            size--;
            if (waiting.isEmpty()) {
                byQueue.remove(queue);
            }
        }
    }

    private static DepthKey queue(TenantId tenant, String subject) {
        return new DepthKey(tenant, subject);
    }
}
