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
     * <p>A number is taken when a double holds it without change: the nearest double, written with as many significant
     * digits as were sent or in its shortest form, is the number that was sent. Zeros at either end of the digits do not
     * count, so how a number is spelled never matters. The last of seventeen digits of a fraction may differ, because no
     * double is that fine; a number of more than seventeen digits must be the double's exact value. Minus zero is read as zero, which is how it is written.
     *
     * @throws JsonRefused when the text breaks a rule; its message tells line and column, never what stands there
     */
    public static JsonValue parse(byte[] utf8) {
        return JsonReader.read(utf8);
    }

    /**
     * The RFC 8785 form: members sorted by UTF-16 code units, numbers as ECMAScript prints them, no white space.
     *
     * @throws IllegalArgumentException when the value has no such form: a lone surrogate, a NaN, an infinity
     */
    public static byte[] canonical(JsonValue value) {
        return JsonWriter.write(value, true);
    }

    /**
     * Compact text that keeps the members' order; what answers and stored rows are written with.
     *
     * @throws IllegalArgumentException when the value has no such form: a lone surrogate, a NaN, an infinity
     */
    public static byte[] write(JsonValue value) {
        return JsonWriter.write(value, false);
    }

    /**
     * The RFC 6901 pointers at which two values differ, at most {@code limit} of them; never a value.
     *
     * <p>They come in the order of {@code before}, and what only {@code after} has follows at the end of its object or
     * array. Arrays are compared place by place.
     */
    public static List<String> differences(JsonValue before, JsonValue after, int limit) {
        return JsonDifferences.between(before, after, limit);
    }
}
