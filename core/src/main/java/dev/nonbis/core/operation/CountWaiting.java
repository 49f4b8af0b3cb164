package dev.nonbis.core.operation;

import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.HashMap;
import java.util.Map;

/** Adds up the depths of the queues in which something waits, by topic. */
public final class CountWaiting {

    private final Store store;

    public CountWaiting(Store store) {
        this.store = store;
    }

    public Map<String, Long> count() {
        var sums = new HashMap<String, Long>();
        queues().forEach((queue, waiting) -> sums.merge(queue.topic(), waiting, Long::sum));
        return sums;
    }

    /** Each of these queues by itself. */
    public Map<DepthKey, Long> queues() {
        var depths = new HashMap<DepthKey, Long>();
        AllRows.in(store, Range.entriesStartingWith(Tables.QUEUES, Tables.QUEUES_BY_WAITING, ""))
                .forEach(hit -> depths.put(key(hit.key()), hit.row().waiting()));
        return depths;
    }

    private static DepthKey key(String text) {
        int slash = text.indexOf('/');
        return new DepthKey(new TenantId(text.substring(0, slash)), text.substring(slash + 1));
    }
}
