package dev.nonbis.core.operation;

import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A range from its beginning to its end, however long it is. It is read page by page, each page when it is asked for and in a state of its own. */
final class AllRows {

    private static final int PAGE = 500;

    private AllRows() {}

    /** Rows may be changed while the stream is consumed: it goes on behind the last row that it gave. */
    static <V> Stream<Range.Hit<V>> in(Store store, Range<V> range) {
        return Stream.iterate(
                        page(store, range),
                        page -> !page.isEmpty(),
                        page -> page.size() < PAGE
                                ? List.of()
                                : page(
                                        store,
                                        range.after(Optional.of(page.getLast().position()))))
                .flatMap(List::stream);
    }

    private static <V> List<Range.Hit<V>> page(Store store, Range<V> range) {
        return store.read(tx -> tx.scan(range.limit(PAGE)));
    }
}
