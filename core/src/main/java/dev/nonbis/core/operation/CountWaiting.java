package dev.nonbis.core.operation;

import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Adds up the depths of the embedded queues by topic. */
public final class CountWaiting {

    private static final int CHUNK = 500;

    private final Store store;

    public CountWaiting(Store store) {
        this.store = store;
    }

    public Map<String, Long> count() {
        var sums = new HashMap<String, Long>();
        queues().forEach((queue, waiting) -> sums.merge(queue.topic(), waiting, Long::sum));
        return sums;
    }

    /** Each queue by itself. */
    public Map<DepthKey, Long> queues() {
        return store.read(tx -> {
            var depths = new HashMap<DepthKey, Long>();
            var position = Optional.<String>empty();
            while (true) {
                var chunk = tx.scan(Range.keysStartingWith(Tables.QUEUES, "")
                        .after(position)
                        .limit(CHUNK));
                for (var hit : chunk) {
                    int slash = hit.key().indexOf('/');
                    depths.put(
                            new DepthKey(
                                    new TenantId(hit.key().substring(0, slash)),
                                    hit.key().substring(slash + 1)),
                            hit.row().waiting());
                }
                if (chunk.size() < CHUNK) {
                    return depths;
                }
                position = Optional.of(chunk.getLast().position());
            }
        });
    }
}
