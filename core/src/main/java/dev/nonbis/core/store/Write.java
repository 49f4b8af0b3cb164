package dev.nonbis.core.store;

import java.util.Set;

/** One change to one row, with what must hold for it to be applied. */
public sealed interface Write {

    RowRef<?, ?> row();

    /** The row must not exist. */
    record Insert(RowRef<?, ?> row, byte[] body, Entries added) implements Write {}

    /** The row must have the version that was read. */
    record Update(RowRef<?, ?> row, long readVersion, byte[] body, Entries removed, Entries added) implements Write {}

    /** The row must have the version that was read. */
    record Delete(RowRef<?, ?> row, long readVersion, Entries removed) implements Write {}

    /**
     * The row must be as it was read, and stays so; a reader decided something by it.
     *
     * @param readVersion zero when there was no row
     */
    record Expect(RowRef<?, ?> row, long readVersion) implements Write {}

    /** Index entries of one row, one set for each index of its table, in the table's order. */
    record Entries(java.util.List<Set<String>> byIndex) {}
}
