package dev.nonbis.core.operation;

import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Some rows of a list: at most as many as were asked for, and at most {@link #MAX_BYTES} of them, so that what a request
 * holds in memory is bounded however large each row is. A page that has any row at all has at least one.
 *
 * @param lastSeen the key of the last row looked at, to go on behind; empty at the end of the list, and only there
 */
public record Page<T>(List<T> items, Optional<String> lastSeen) {

    /** What is stored of one answer's rows ends with the row that reaches this; as objects they take a few times as much. */
    public static final int MAX_BYTES = 1 << 20;

    private static final int CHUNK = 500;
    // One call looks at this much at most, so that a filter that matches little cannot hold a reader for long: such a
    // page
    // is shorter than asked for, and its successor goes on.
    private static final int MAX_SCANNED = 5_000;
    private static final int MAX_SCANNED_BYTES = 16 * MAX_BYTES;

    static <T> Page<T> of(Store store, Range<T> range, Optional<String> afterKey, Predicate<T> filter, int limit) {
        return of(store, List.of(range), afterKey, filter, limit);
    }

    /** The rows of a range in its own order. */
    public static <T> Page<T> of(ReadTx tx, Range<T> range, int limit) {
        return new Search<>(range, row -> true, limit).page(tx, range.after());
    }

    /** The rows stand in each of the orders, and the filter leaves the same of all; one that is short is gone through at once. */
    static <T> Page<T> of(
            Store store, List<Range<T>> orders, Optional<String> afterKey, Predicate<T> filter, int limit) {
        return store.read(tx -> {
            var range = shortest(tx, orders).newestFirst();
            return new Search<>(range, filter, limit).page(tx, afterKey.map(key -> position(range, key)));
        });
    }

    private static <T> Range<T> shortest(ReadTx tx, List<Range<T>> orders) {
        if (orders.size() == 1) {
            return orders.getFirst();
        }
        return orders.stream()
                .filter(order -> isShort(tx, order.limit(CHUNK).bytes(MAX_BYTES)))
                .findFirst()
                .orElse(orders.getFirst());
    }

    private static <T> boolean isShort(ReadTx tx, Range<T> order) {
        return order.isExhaustedBy(tx.scan(order));
    }

    private static <T> String position(Range<T> range, String key) {
        return range.index().isPresent() ? Range.position(range.low(), key) : key;
    }

    /** The rows of one page, as they are found. */
    private static final class Search<T> {

        private final Range<T> range;
        private final Predicate<T> filter;
        private final int limit;
        private final List<T> items = new ArrayList<>();
        private long bytes;
        private int scanned;
        private long scannedBytes;
        private String last = "";

        Search(Range<T> range, Predicate<T> filter, int limit) {
            this.range = range.bytes(MAX_BYTES);
            this.filter = filter;
            this.limit = limit;
        }

        Page<T> page(ReadTx tx, Optional<String> after) {
            var position = after;
            // The first look is no larger than the page; where the filter leaves little of it, the next ones are.
            int rows = Math.min(CHUNK, limit + 1);
            while (scanned < MAX_SCANNED && scannedBytes < MAX_SCANNED_BYTES) {
                var look = range.after(position).limit(rows);
                var hits = tx.scan(look);
                for (var hit : hits) {
                    if (isFull()) {
                        return new Page<>(items, Optional.of(last));
                    }
                    take(hit);
                }
                if (look.isExhaustedBy(hits)) {
                    return new Page<>(items, Optional.empty());
                }
                position = Optional.of(hits.getLast().position());
                rows = isFull() ? 1 : CHUNK;
            }
            return new Page<>(items, Optional.of(last));
        }

        private boolean isFull() {
            return items.size() == limit || bytes >= MAX_BYTES;
        }

        private void take(Range.Hit<T> hit) {
            if (filter.test(hit.row())) {
                items.add(hit.row());
                bytes += hit.bytes();
            }
            last = hit.key();
            scanned++;
            scannedBytes += hit.bytes();
        }
    }
}
