package dev.nonbis.core.bus;

/** The bus failed. */
public final class BusUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is known of the message. */
    public enum Fate {
        DID_NOT_HAPPEN,
        /** The bus may have it. */
        UNKNOWN
    }

    private final Fate fate;

    public BusUnavailable(Fate fate, String message) {
        super(message);
        this.fate = fate;
    }

    public BusUnavailable(Fate fate, String message, Throwable cause) {
        super(message, cause);
        this.fate = fate;
    }

    public Fate fate() {
        return fate;
    }
}
