package dev.nonbis.json;

import dev.nonbis.json.JsonValue.JsonString;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A value's text inside a larger one, so that what is stored can be shown without being read into objects and written again: those take
 * many times as much memory as their text.
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes are handed over, never shared or compared.
public record JsonSlice(byte[] text, int from, int to) {

    /** A whole text that {@link Json} has written. */
    public static JsonSlice of(byte[] text) {
        return new JsonSlice(text, 0, text.length);
    }

    /** An object's members by their names; the text is one that {@link Json} has written. */
    public static Map<String, JsonSlice> members(byte[] object) {
        var members = new LinkedHashMap<String, JsonSlice>();
        int at = 1;
        while (at < object.length && object[at] == '"') {
            int value = endOfString(object, at) + 1;
            int end = endOfValue(object, value);
            if (new JsonSlice(object, at, value - 1).parse() instanceof JsonString(var name)) {
                members.put(name, new JsonSlice(object, value, end));
            }
            at = end + 1;
        }
        return members;
    }

    public int length() {
        return to - from;
    }

    public JsonValue parse() {
        return Json.parse(Arrays.copyOfRange(text, from, to));
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
        while (depth > 0 || (text[at] != ',' && text[at] != '}')) {
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
