package dev.nonbis.core.bus;

import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.dispatch.QueuedMessage.Depth;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;

/** Changes to the embedded queue that belong into the transaction of something else. */
public final class Queue {

    private Queue() {}

    /**
     * The message will not be handed out again; its name is still recognised until the window ends. Nothing when there is none, or when
     * the one of this name is another job's: an override may give one name to two.
     */
    public static void spend(Tx tx, Message message) {
        var key = new QueuedMessage.Key(message.tenant(), message.id());
        tx.find(Tables.MESSAGES, key)
                .filter(queued -> isThisOne(queued, message))
                .ifPresent(queued -> {
                    tx.update(Tables.MESSAGES, key, queued.spent());
                    count(tx, queued.depthKey(), -1);
                });
    }

    private static boolean isThisOne(QueuedMessage queued, Message message) {
        return !queued.isSpent() && queued.message().job().equals(message.job());
    }

    static void count(Tx tx, QueuedMessage.DepthKey key, long change) {
        long waiting = tx.find(Tables.QUEUES, key).map(Depth::waiting).orElse(0L) + change;
        if (waiting < 0) {
            throw new IllegalStateException("fewer than no messages wait for " + key);
        }
        tx.put(Tables.QUEUES, key, new Depth(waiting));
    }
}
