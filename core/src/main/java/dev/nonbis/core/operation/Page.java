package dev.nonbis.core.operation;

import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Some rows of a list, newest first.
 *
 * @param lastSeen the key of the last row looked at, to go on behind; empty at the end of the list
 */
public record Page<T>(List<T> items, Optional<String> lastSeen) {

    private static final int CHUNK = 500;
    // One call looks at this many rows at most, so that a filter that matches little cannot hold a reader for long:
    // such a page is
    // shorter than asked for, and its successor goes on.
    private static final int MAX_SCANNED = 5_000;

    static <T> Page<T> of(Store store, Range<T> range, Optional<String> afterKey, Predicate<T> filter, int limit) {
        return of(store, List.of(range), afterKey, filter, limit);
    }

    /** The rows stand in each of the orders, and the filter leaves the same of all; one that is short is gone through at once. */
    static <T> Page<T> of(
            Store store, List<Range<T>> orders, Optional<String> afterKey, Predicate<T> filter, int limit) {
        return store.read(tx -> {
            var range = shortest(tx, orders);
            var items = new ArrayList<T>();
            var position = afterKey.map(key -> position(range, key));
            String last = "";
            for (int scanned = 0; scanned < MAX_SCANNED; scanned += CHUNK) {
                var chunk = tx.scan(range.newestFirst().after(position).limit(CHUNK));
                for (var hit : chunk) {
                    if (items.size() == limit) {
                        return new Page<>(items, Optional.of(last));
                    }
                    if (filter.test(hit.row())) {
                        items.add(hit.row());
                    }
                    last = hit.key();
                }
                if (chunk.size() < CHUNK) {
                    return new Page<>(items, Optional.empty());
                }
                position = Optional.of(chunk.getLast().position());
            }
            return new Page<>(items, Optional.of(last));
        });
    }

    private static <T> Range<T> shortest(ReadTx tx, List<Range<T>> orders) {
        if (orders.size() == 1) {
            return orders.getFirst();
        }
        return orders.stream()
                .filter(order -> tx.scan(order.limit(CHUNK)).size() < CHUNK)
                .findFirst()
                .orElse(orders.getFirst());
    }

    private static <T> String position(Range<T> range, String key) {
        return range.index().isPresent() ? Range.position(range.low(), key) : key;
    }
}
