package dev.nonbis.core.operation;

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
        return store.read(tx -> {
            var sums = new HashMap<String, Long>();
            var position = Optional.<String>empty();
            while (true) {
                var chunk = tx.scan(Range.keysStartingWith(Tables.QUEUES, "")
                        .after(position)
                        .limit(CHUNK));
                for (var hit : chunk) {
                    String topic = hit.key().substring(hit.key().indexOf('/') + 1);
                    sums.merge(topic, hit.row().waiting(), Long::sum);
                }
                if (chunk.size() < CHUNK) {
                    return sums;
                }
                position = Optional.of(chunk.getLast().position());
            }
        });
    }
}
