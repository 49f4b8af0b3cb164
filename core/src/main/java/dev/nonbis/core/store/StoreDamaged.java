package dev.nonbis.core.store;

import org.jspecify.annotations.Nullable;

/** A stored row is not what was written. Whatever else is in the store is as good as before. */
public final class StoreDamaged extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String table;

    /** The message has no key: it goes to a log, and keys may say what a client does. */
    public StoreDamaged(RowRef<?, ?> row, @Nullable Throwable cause) {
        super("a row of " + row.owner() + " in " + row.table() + " is not what was written", cause);
        this.table = row.table().name();
    }

    /** Where the row is. */
    public String table() {
        return table;
    }
}
