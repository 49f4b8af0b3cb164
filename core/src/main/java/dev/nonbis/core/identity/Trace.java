package dev.nonbis.core.identity;

import java.util.Optional;

/**
 * The trace that something belongs to, in the terms of W3C Trace Context.
 *
 * @param id 32 lowercase hex digits; empty where nobody asks
 * @param parent the span under which the rest of the story goes, with its flags, as {@code b7ad6b7169203331-01}; absent when nobody who
 *     writes spans was there at the beginning
 */
public record Trace(String id, Optional<String> parent) {

    public static final Trace NONE = new Trace("", Optional.empty());

    private static final int ID = 3;
    private static final int SPAN = 36;
    private static final int FLAGS = 53;
    private static final int LENGTH = 55;

    public static Trace of(String id) {
        return new Trace(id, Optional.empty());
    }

    /** Reads the header {@code traceparent}; empty when it is none, which the standard says to ignore. */
    public static Optional<Trace> parse(String header) {
        boolean isLater = header.length() > LENGTH && !header.startsWith("00") && header.charAt(LENGTH) == '-';
        if (header.length() != LENGTH && !isLater) {
            return Optional.empty();
        }
        boolean isFormed = isHex(header, 0, 2)
                && header.charAt(2) == '-'
                && isHex(header, ID, 35)
                && header.charAt(35) == '-'
                && isHex(header, SPAN, 52)
                && header.charAt(52) == '-'
                && isHex(header, FLAGS, LENGTH);
        if (!isFormed || header.startsWith("ff") || isZero(header, ID, 35) || isZero(header, SPAN, 52)) {
            return Optional.empty();
        }
        return Optional.of(new Trace(header.substring(ID, 35), Optional.of(header.substring(SPAN, LENGTH))));
    }

    /** Reads what {@link #text} has written. */
    public static Trace ofText(String text) {
        int dash = text.indexOf('-');
        return dash < 0 ? of(text) : new Trace(text.substring(0, dash), Optional.of(text.substring(dash + 1)));
    }

    /** The id, and the parent behind a dash. */
    public String text() {
        return parent.map(span -> id + "-" + span).orElse(id);
    }

    /** The header that hands the trace on, if there is a span to hand it on from. */
    public Optional<String> traceparent() {
        return parent.map(span -> "00-" + id + "-" + span);
    }

    private static boolean isHex(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '0') {
                return false;
            }
        }
        return true;
    }
}
