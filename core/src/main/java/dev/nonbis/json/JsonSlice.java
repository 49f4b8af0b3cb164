package dev.nonbis.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A value's text inside a larger one, so that what is stored can be shown without being read into objects and written again: those take
 * many times as much memory as their text.
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes are handed over, never shared or compared.
public record JsonSlice(byte[] text, int from, int to) {

    /** The value of an object's member; the text is one that {@link Json} has written. */
    public static Optional<JsonSlice> member(byte[] object, String name) {
        byte[] wanted = ('"' + name + '"').getBytes(StandardCharsets.UTF_8);
        int at = 1;
        while (at < object.length && object[at] == '"') {
            int value = endOfString(object, at) + 1;
            int end = endOfValue(object, value);
            if (Arrays.equals(object, at, value - 1, wanted, 0, wanted.length)) {
                return Optional.of(new JsonSlice(object, value, end));
            }
            at = end + 1;
        }
        return Optional.empty();
    }

    private static int endOfString(byte[] text, int quote) {
        int at = quote + 1;
        while (text[at] != '"') {
            at += text[at] == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    private static int endOfValue(byte[] text, int from) {
        int depth = 0;
        int at = from;
        while (depth > 0 || text[at] != ',' && text[at] != '}') {
            switch (text[at]) {
                case '"' -> at = endOfString(text, at);
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    at++;
                }
                default -> at++;
            }
        }
        return at;
    }
}
