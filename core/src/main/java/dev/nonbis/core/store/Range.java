package dev.nonbis.core.store;

import java.util.List;
import java.util.Optional;

/**
 * A stretch of a table's rows in the order of their keys or of an index.
 *
 * @param index the order; the primary key when absent
 * @param low the first text inside
 * @param high the first text outside
 * @param after the position to continue behind, as a {@link Hit#position} gave it
 * @param limit the most rows
 * @param bytes the scan ends with the row that brings the bodies to this many bytes, so that there is always one
 */
public record Range<V>(
        Table<?, V> table,
        Optional<Index<V>> index,
        String low,
        String high,
        Optional<String> after,
        boolean descending,
        int limit,
        int bytes) {

    private static final int USUAL_LIMIT = 100;
    private static final int ANY_BYTES = Integer.MAX_VALUE;

    // Above every character that a key may hold, and below nothing.
    private static final String LAST = "\uffff";

    /** Between an index's text and the row's key in a position; below every character that either may hold. */
    public static final char SEPARATOR = '\u0001';

    private static final char ABOVE_SEPARATOR = SEPARATOR + 1;

    public static <V> Range<V> keysStartingWith(Table<?, V> table, String prefix) {
        return new Range<>(
                table, Optional.empty(), prefix, prefix + LAST, Optional.empty(), false, USUAL_LIMIT, ANY_BYTES);
    }

    public static <V> Range<V> entriesStartingWith(Table<?, V> table, Index<V> index, String prefix) {
        return new Range<>(
                table, Optional.of(index), prefix, prefix + LAST, Optional.empty(), false, USUAL_LIMIT, ANY_BYTES);
    }

    /** The rows under exactly this text, in the order of their keys. */
    public static <V> Range<V> entriesEqualTo(Table<?, V> table, Index<V> index, String entry) {
        return new Range<>(
                table,
                Optional.of(index),
                entry,
                entry + ABOVE_SEPARATOR,
                Optional.empty(),
                false,
                USUAL_LIMIT,
                ANY_BYTES);
    }

    /** The position of a row with this key under this text. */
    public static String position(String entry, String key) {
        return entry + SEPARATOR + key;
    }

    public static <V> Range<V> entriesUpTo(Table<?, V> table, Index<V> index, String low, String high) {
        return new Range<>(table, Optional.of(index), low, high, Optional.empty(), false, USUAL_LIMIT, ANY_BYTES);
    }

    public Range<V> newestFirst() {
        return new Range<>(table, index, low, high, after, true, limit, bytes);
    }

    public Range<V> after(Optional<String> position) {
        return new Range<>(table, index, low, high, position, descending, limit, bytes);
    }

    public Range<V> limit(int rows) {
        return new Range<>(table, index, low, high, after, descending, rows, bytes);
    }

    public Range<V> bytes(int most) {
        return new Range<>(table, index, low, high, after, descending, limit, most);
    }

    /** Whether a scan of this range found all that is left in it: neither bound has cut it. */
    public boolean isExhaustedBy(List<? extends Hit<?>> hits) {
        return hits.size() < limit && hits.stream().mapToLong(Hit::bytes).sum() < bytes;
    }

    /** The key of the row at a position. */
    public static String key(String position) {
        return position.substring(position.lastIndexOf(SEPARATOR) + 1);
    }

    /**
     * One row found.
     *
     * @param position where it is in the range's order
     * @param bytes how long its body is
     */
    public record Hit<T>(String position, T row, int bytes) {

        public static Hit<StoredRow> of(String position, StoredRow row) {
            return new Hit<>(position, row, row.body().length);
        }

        /** The row's key. */
        public String key() {
            return Range.key(position);
        }
    }
}
