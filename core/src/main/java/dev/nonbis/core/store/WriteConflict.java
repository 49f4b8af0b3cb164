package dev.nonbis.core.store;

/** A row was not as a write expected it; nothing was applied and the blocks may run again. */
public final class WriteConflict extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WriteConflict(String message) {
        super(message, null, false, false);
    }
}
