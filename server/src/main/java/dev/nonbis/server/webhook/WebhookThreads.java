package dev.nonbis.server.webhook;

import dev.nonbis.core.operation.DeliverWebhooks;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.webhook.Webhook;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Gives every webhook to which something is owed a thread of its own, so that a slow address delays no other. */
public final class WebhookThreads {

    private static final Logger LOG = System.getLogger(WebhookThreads.class.getName());
    private static final int MAX_IN_A_ROW = 1000;

    private final DeliverWebhooks deliver;
    private final Set<Webhook.Key> busy = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public WebhookThreads(DeliverWebhooks deliver) {
        this.deliver = deliver;
    }

    /** Starts what is due and is not under way. */
    public void runOnce() {
        for (var webhook : deliver.due()) {
            if (!closed && busy.add(webhook.key())) {
                Thread.ofVirtual().name("nonbis-webhook").start(() -> work(webhook.key()));
            }
        }
    }

    /** No new tries; one under way ends by itself and is made again after a restart if nobody answered. */
    public void close() {
        closed = true;
    }

    private void work(Webhook.Key key) {
        try {
            for (int i = 0; i < MAX_IN_A_ROW && !closed && deliver.deliver(key); i++) {}
        } catch (StoreUnavailable away) {
            LOG.log(Level.DEBUG, "a webhook waits for the store");
        } finally {
            busy.remove(key);
        }
    }
}
