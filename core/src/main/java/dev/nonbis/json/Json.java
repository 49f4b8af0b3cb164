package dev.nonbis.json;

import java.util.List;

/** Reads, writes and compares JSON. */
public final class Json {

    /** How deep objects and arrays may nest. */
    public static final int MAX_DEPTH = 64;

    private Json() {}

    /**
     * Reads one value from UTF-8 text.
     *
     * @throws JsonRefused when the text breaks a rule
     */
    public static JsonValue parse(byte[] utf8) {
        throw new UnsupportedOperationException();
    }

    /** The RFC 8785 form: members sorted by UTF-16 code units, numbers as ECMAScript prints them, no white space. */
    public static byte[] canonical(JsonValue value) {
        throw new UnsupportedOperationException();
    }

    /** Compact text that keeps the members' order; what answers and stored rows are written with. */
    public static byte[] write(JsonValue value) {
        throw new UnsupportedOperationException();
    }

    /** The RFC 6901 pointers at which two values differ, in document order, at most {@code limit} of them; never a value. */
    public static List<String> differences(JsonValue before, JsonValue after, int limit) {
        throw new UnsupportedOperationException();
    }
}
