package dev.nonbis.core.store;

import java.util.Optional;

/**
 * A stretch of a table's rows in the order of their keys or of an index.
 *
 * @param index the order; the primary key when absent
 * @param low the first text inside
 * @param high the first text outside
 * @param after the position to continue behind, as a {@link Hit#position} gave it
 */
public record Range<V>(
        Table<?, V> table,
        Optional<Index<V>> index,
        String low,
        String high,
        Optional<String> after,
        boolean descending,
        int limit) {

    // Above every character that a key may hold, and below nothing.
    private static final String LAST = "\uffff";

    /** Between an index's text and the row's key in a position; below every character that either may hold. */
    public static final char SEPARATOR = '\u0001';

    private static final char ABOVE_SEPARATOR = SEPARATOR + 1;

    public static <V> Range<V> keysStartingWith(Table<?, V> table, String prefix) {
        return new Range<>(table, Optional.empty(), prefix, prefix + LAST, Optional.empty(), false, 100);
    }

    public static <V> Range<V> entriesStartingWith(Table<?, V> table, Index<V> index, String prefix) {
        return new Range<>(table, Optional.of(index), prefix, prefix + LAST, Optional.empty(), false, 100);
    }

    /** The rows under exactly this text, in the order of their keys. */
    public static <V> Range<V> entriesEqualTo(Table<?, V> table, Index<V> index, String entry) {
        return new Range<>(table, Optional.of(index), entry, entry + ABOVE_SEPARATOR, Optional.empty(), false, 100);
    }

    /** The position of a row with this key under this text. */
    public static String position(String entry, String key) {
        return entry + SEPARATOR + key;
    }

    public static <V> Range<V> entriesUpTo(Table<?, V> table, Index<V> index, String low, String high) {
        return new Range<>(table, Optional.of(index), low, high, Optional.empty(), false, 100);
    }

    public Range<V> newestFirst() {
        return new Range<>(table, index, low, high, after, true, limit);
    }

    public Range<V> after(Optional<String> position) {
        return new Range<>(table, index, low, high, position, descending, limit);
    }

    public Range<V> limit(int rows) {
        return new Range<>(table, index, low, high, after, descending, rows);
    }

    /** One row found: its position in the range's order and its content. */
    public record Hit<T>(String position, T row) {

        /** The row's key. */
        public String key() {
            return position.substring(position.lastIndexOf(SEPARATOR) + 1);
        }
    }
}
