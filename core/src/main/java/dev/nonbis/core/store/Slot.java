package dev.nonbis.core.store;

import org.jspecify.annotations.Nullable;

/**
 * What a batch knows of one row: as committed, as the blocks so far have left it, and as the one that runs would have it. That one's write
 * is seen by itself at once, and by others when it is kept.
 */
final class Slot {

    final RowRef<?, ?> row;
    final long version;
    final @Nullable Object committed;

    // Whether somebody has asked the database.
    private final boolean read;
    // A null value is a row that is not there.
    private @Nullable Object kept;
    private @Nullable Object value;
    private boolean changed;
    private boolean written;

    private Slot(RowRef<?, ?> row, long version, @Nullable Object committed, boolean read) {
        this.row = row;
        this.version = version;
        this.committed = committed;
        this.read = read;
        this.kept = committed;
        this.value = committed;
    }

    static Slot read(RowRef<?, ?> row, @Nullable StoredRow stored) {
        return stored == null
                ? new Slot(row, 0, null, true)
                : new Slot(row, stored.version(), row.table().read(stored), true);
    }

    /** Written without having been read: the back end finds out whether the key was free. */
    static Slot unread(RowRef<?, ?> row) {
        return new Slot(row, 0, null, false);
    }

    @Nullable
    Object value() {
        return value;
    }

    /** Writes for the block that runs; whether it is that block's first write to the row. */
    boolean write(@Nullable Object newValue) {
        boolean isFirst = !written;
        value = newValue;
        written = true;
        return isFirst;
    }

    /** The block has returned; whether it is the first that has changed the row. */
    boolean keep() {
        boolean isFirst = !changed;
        kept = value;
        changed = true;
        written = false;
        return isFirst;
    }

    /** The block has failed; whether nothing is known of the row without it. */
    boolean drop() {
        value = kept;
        written = false;
        return !read && !changed;
    }
}
