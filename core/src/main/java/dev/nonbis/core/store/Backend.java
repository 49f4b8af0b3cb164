package dev.nonbis.core.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What a database must do for us, and all of it. Group commit, isolation between blocks and typing are above this line.
 *
 * <p>Refuses to be: a query language. There is one way to fetch, one way to scan and one way to write.
 */
public interface Backend extends AutoCloseable {

    /**
     * The committed rows that exist among these. Called by few threads, perhaps while another is in {@link #apply}: of rows that it
     * writes, either state may be seen.
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

    /**
     * Runs the block on one consistent state of committed rows; where {@link #ownersTogether} is one, on one for each owner. Called by many
     * threads.
     */
    <R> R read(Function<Snapshot, R> block);

    /**
     * Begins a transaction for a database that other servers write to as well. What is fetched in it still holds when it commits, or the
     * commit is a {@link WriteConflict}. A back end that can keep others away meanwhile should: they wait then, and do not work in vain.
     *
     * @throws StoreUnavailable when the database failed, or when somebody else kept an owner's rows for too long
     */
    default Transaction begin(Wanted wanted) {
        return new OptimisticTransaction(this, wanted);
    }

    /**
     * For how many owners a transaction may be. Where it is one, owners share nothing: rows of two are neither written together nor seen in
     * one state.
     */
    default int ownersTogether() {
        // An owner costs a lock in some databases.
        return 64;
    }

    @Override
    void close();

    /**
     * What a transaction is about.
     *
     * @param owners whose rows it will touch, see {@link RowRef#owner}
     * @param rows what it will read, as far as known: fetched together with beginning
     * @param waits whether to wait for owners that another server is at work for; if not, they are left out
     */
    record Wanted(Set<String> owners, Set<RowRef<?, ?>> rows, boolean waits) {}

    /** Reads and writes that are one. Used by one thread. */
    interface Transaction extends AutoCloseable {

        /** The owners that it is about: those wanted, without the ones that were left out. */
        Set<String> owners();

        /** The rows that exist among these. */
        Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows);

        /**
         * Applies all writes durably, or none.
         *
         * @throws WriteConflict when a row was not as its write expects, or not as it was fetched; nothing was applied
         * @throws StoreUnavailable when the database failed; says whether the writes may have been applied
         */
        void commit(List<Write> writes);

        /** Ends it; what was not committed did not happen. */
        @Override
        void close();
    }

    /** Committed rows at one instant. */
    interface Snapshot {

        Optional<StoredRow> get(RowRef<?, ?> row);

        /** The rows in the range. An index entry whose row is gone, as a damaged row may leave one behind, is passed over. */
        List<Range.Hit<StoredRow>> scan(Range<?> range);
    }
}
