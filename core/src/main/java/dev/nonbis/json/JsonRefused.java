package dev.nonbis.json;

/** The text is not JSON as we take it; {@link #reason} says which rule it broke and {@link #getMessage} where. */
public final class JsonRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The rule that was broken. */
    public enum Reason {
        /** Not JSON at all, or not UTF-8, or something after the value. */
        SYNTAX,
        /** Nested deeper than the limit. */
        TOO_DEEP,
        /** A member name twice, a lone surrogate, or a number that a double would change. */
        NOT_CANONICAL
    }

    private final Reason reason;

    public JsonRefused(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
