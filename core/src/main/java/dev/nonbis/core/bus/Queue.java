package dev.nonbis.core.bus;

import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.dispatch.QueuedMessage.Depth;
import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;

/** How full the bus is for each tenant and topic, and changes to the embedded queue that belong into the transaction of something else. */
public final class Queue {

    // Jobs beyond this many wait as PENDING, where waiting costs nothing and no timeout runs.
    private static final int MAX_WAITING = 1000;

    private Queue() {}

    /**
     * The message will not be handed out again; its name is still recognised until the window ends. Nothing when there is none, or when
     * the one of this name is another job's: an override may give one name to two.
     */
    public static void spend(Tx tx, Message message) {
        var key = new QueuedMessage.Key(message.tenant(), message.id());
        tx.find(Tables.MESSAGES, key)
                .filter(queued -> isThisOne(queued, message))
                .ifPresent(queued -> tx.update(Tables.MESSAGES, key, queued.spent()));
    }

    private static boolean isThisOne(QueuedMessage queued, Message message) {
        return !queued.isSpent() && queued.message().job().equals(message.job());
    }

    /** How many messages more of this tenant and topic the bus takes before those in front are started. */
    public static int room(ReadTx tx, TenantId tenant, String topic) {
        long waiting = tx.find(Tables.QUEUES, new DepthKey(tenant, topic))
                .map(Depth::waiting)
                .orElse(0L);
        return (int) Math.max(0, MAX_WAITING - waiting);
    }

    /** Some more, or fewer, jobs of a tenant and topic are with the bus. */
    public static void count(Tx tx, DepthKey key, long change) {
        long waiting = tx.find(Tables.QUEUES, key).map(Depth::waiting).orElse(0L) + change;
        if (waiting < 0) {
            throw new IllegalStateException("fewer than no messages wait for " + key);
        }
        tx.put(Tables.QUEUES, key, new Depth(waiting));
    }
}
