package dev.nonbis.core.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a database must do for us, and all of it. Group commit, isolation between blocks and typing are above this line.
 *
 * <p>Refuses to be: a query language. There is one way to fetch, one way to scan and one way to write.
 */
public interface Backend extends AutoCloseable {

    /**
     * The committed rows that exist among these. Called by one thread at a time, perhaps while another is in {@link #apply}: of rows that
     * it writes, either state may be seen.
     */
    Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows);

    /**
     * Applies all writes durably, or none.
     *
     * @throws WriteConflict when a row was not as its write expects; nothing was applied
     * @throws StoreUnavailable when the database failed; says whether the writes may have been applied
     */
    void apply(List<Write> writes);

    /** One committed row, as it is at some instant during the call. Called by many threads. */
    default Optional<StoredRow> get(RowRef<?, ?> row) {
        return read(snapshot -> snapshot.get(row));
    }

    /** Runs the block on one consistent state of committed rows. Called by many threads. */
    <R> R read(Function<Snapshot, R> block);

    @Override
    void close();

    /** Committed rows at one instant. */
    interface Snapshot {

        Optional<StoredRow> get(RowRef<?, ?> row);

        List<Range.Hit<StoredRow>> scan(Range<?> range);
    }
}
