package dev.nonbis.server.webhook;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.DeliverWebhooks;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.webhook.Webhook;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Gives every webhook to which something is owed a thread of its own for a few events, those first that have been due for longest. A slow
 * address delays no other, and a tenant with many slow ones holds only its share of the threads.
 */
public final class WebhookThreads {

    private static final Logger LOG = System.getLogger(WebhookThreads.class.getName());
    // Each has a connection of its own.
    private static final int MAX_AT_ONCE = 128;
    private static final int MAX_PER_TENANT = 16;
    // Then the others have their turn.
    private static final int MAX_IN_A_ROW = 20;

    private final DeliverWebhooks deliver;
    private final Set<Webhook.Key> busy = new HashSet<>();
    private final Map<TenantId, Integer> busyOf = new HashMap<>();
    private boolean someWait;
    private boolean closed;
    private volatile Runnable onRoom = () -> {};

    public WebhookThreads(DeliverWebhooks deliver) {
        this.deliver = deliver;
    }

    /** What to run when a thread is free and a webhook may have waited for one; {@link #runOnce} should follow soon. */
    public void onRoom(Runnable action) {
        onRoom = action;
    }

    /** Starts what is due and is not under way. */
    public void runOnce() {
        deliver.wakeIdle();
        if (!deliver.due().allMatch(this::start)) {
            markWaiting();
        }
    }

    /** No new tries; one under way ends by itself and is made again after a restart if there was no answer. */
    public synchronized void close() {
        closed = true;
    }

    /** Whether there is room for another. */
    private synchronized boolean start(Webhook.Key key) {
        int ofTenant = busyOf.getOrDefault(key.tenant(), 0);
        if (closed || busy.size() == MAX_AT_ONCE) {
            return false;
        }
        if (ofTenant == MAX_PER_TENANT) {
            someWait = true;
        } else if (busy.add(key)) {
            busyOf.put(key.tenant(), ofTenant + 1);
            Thread.ofVirtual().name("nonbis-webhook").start(() -> work(key));
        }
        return true;
    }

    private void work(Webhook.Key key) {
        boolean more = false;
        try {
            more = deliverSome(key);
        } catch (StoreUnavailable away) {
            LOG.log(Level.DEBUG, "a webhook waits for the store");
        } finally {
            if (end(key) || more) {
                onRoom.run();
            }
        }
    }

    /** Whether there is more to do now. */
    private boolean deliverSome(Webhook.Key key) {
        boolean more = true;
        for (int i = 0; i < MAX_IN_A_ROW && more; i++) {
            more = !isClosed() && deliver.deliver(key);
        }
        return more;
    }

    private synchronized void markWaiting() {
        someWait = true;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Whether others have waited. */
    private synchronized boolean end(Webhook.Key key) {
        busy.remove(key);
        busyOf.computeIfPresent(key.tenant(), (tenant, count) -> count == 1 ? null : count - 1);
        boolean waited = someWait;
        someWait = false;
        return waited;
    }
}
