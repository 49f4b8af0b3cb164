package dev.nonbis.core.store;

/** The database failed us; {@link #fate} says whether the transaction may have happened. */
public final class StoreUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is known about the transaction. */
    public enum Fate {
        DID_NOT_HAPPEN,
        UNKNOWN
    }

    /** Why, as far as a caller can act on it. */
    public enum Cause {
        /** More is waiting than the store takes. */
        OVERLOADED,
        /** Another server held the tenant's row too long. */
        BUSY,
        /** No space left for the data. */
        FULL,
        /** The store is closed or closing. */
        CLOSED,
        /** Anything else. */
        FAILED
    }

    private final Fate fate;
    private final Cause why;

    public StoreUnavailable(Fate fate, Cause why, String message, Throwable cause) {
        super(message, cause);
        this.fate = fate;
        this.why = why;
    }

    public StoreUnavailable(Fate fate, Cause why, String message) {
        super(message);
        this.fate = fate;
        this.why = why;
    }

    public Fate fate() {
        return fate;
    }

    public Cause why() {
        return why;
    }
}
