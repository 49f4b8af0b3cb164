package dev.nonbis.json;

import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Writes values in the form of RFC 8785, with members sorted or left in their order. */
final class JsonWriter {

    /** Values we wrap around parsed ones nest a little deeper than those; far deeper is a mistake of ours. */
    private static final int MAX_DEPTH = 4 * Json.MAX_DEPTH;

    // A new buffer costs more than most texts do, so a few are kept; a caller that finds none makes one.
    private static final int KEPT = 16;
    private static final int FIRST_SIZE = 1024;
    private static final int MOST_KEPT_BYTES = 16 * 1024;
    private static final AtomicReferenceArray<byte @Nullable []> IDLE = new AtomicReferenceArray<>(KEPT);
    private static final byte[] GIVEN_BACK = {};

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    /** For every ASCII character: 0 as it is, 'u' by its number, else the letter after the backslash. */
    private static final byte[] ESCAPES = escapes();

    private final boolean sorted;
    private byte[] bytes;
    private int length;

    /** A writer of a text of about so many bytes. */
    JsonWriter(boolean sorted, int expectedBytes) {
        this(sorted);
        reserve(expectedBytes);
    }

    JsonWriter(boolean sorted) {
        this.sorted = sorted;
        byte[] kept = IDLE.getAndSet(place(), null);
        this.bytes = kept == null ? new byte[FIRST_SIZE] : kept;
    }

    static byte[] write(JsonValue value, boolean sorted) {
        JsonWriter writer = new JsonWriter(sorted);
        writer.value(value, 0);
        return writer.text();
    }

    /** What was written; the writer begins anew afterwards. */
    byte[] text() {
        byte[] text = Arrays.copyOf(bytes, length);
        if (bytes.length <= MOST_KEPT_BYTES) {
            IDLE.lazySet(place(), bytes);
        }
        // From here on it is another writer's.
        bytes = GIVEN_BACK;
        length = 0;
        return text;
    }

    void slice(JsonSlice slice) {
        reserve(slice.length());
        System.arraycopy(slice.text(), slice.from(), bytes, length, slice.length());
        length += slice.length();
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & (KEPT - 1);
    }

    void value(JsonValue value, int depth) {
        switch (value) {
            case JsonString s -> string(s.value());
            case JsonObject o -> object(o.membersToRead(), inside(depth));
            case JsonNumber n -> number(n.value());
            case JsonArray a -> array(a.items(), inside(depth));
            case JsonBool b -> ascii(b.value() ? TRUE : FALSE);
            case JsonNull ignored -> ascii(NULL);
        }
    }

    private static int inside(int depth) {
        if (depth == MAX_DEPTH) {
            throw new IllegalArgumentException("nested deeper than " + MAX_DEPTH);
        }
        return depth + 1;
    }

    private void array(List<JsonValue> items, int depth) {
        ascii('[');
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                ascii(',');
            }
            value(items.get(i), depth);
        }
        ascii(']');
    }

    private void object(Members members, int depth) {
        var ordered = sorted ? members.inOrderOfNames() : members;
        ascii('{');
        for (int i = 0; i < ordered.size(); i++) {
            member(ordered.name(i), ordered.value(i), i > 0, depth);
        }
        ascii('}');
    }

    private void member(String name, JsonValue value, boolean next, int depth) {
        if (next) {
            ascii(',');
        }
        string(name);
        ascii(':');
        value(value, depth);
    }

    void string(String string) {
        int units = string.length();
        reserve(units + 2);
        bytes[length++] = '"';
        int i = 0;
        while (i < units) {
            char c = string.charAt(i);
            if (c < 0x80 && ESCAPES[c] == 0) {
                bytes[length++] = (byte) c;
                i++;
            } else {
                // Six bytes are the most that one unit takes; the rest, and the quote, stay reserved.
                reserve(units - i + 6);
                i += special(string, i);
            }
        }
        bytes[length++] = '"';
    }

    /** Writes the character at a place and tells how many units it takes. */
    private int special(String string, int at) {
        char c = string.charAt(at);
        if (c < 0x80) {
            escape(c);
        } else if (c < 0x800) {
            bytes[length++] = (byte) (0xC0 | (c >> 6));
            bytes[length++] = (byte) (0x80 | (c & 0x3F));
        } else if (!Character.isSurrogate(c)) {
            bytes[length++] = (byte) (0xE0 | (c >> 12));
            bytes[length++] = (byte) (0x80 | ((c >> 6) & 0x3F));
            bytes[length++] = (byte) (0x80 | (c & 0x3F));
        } else {
            int codePoint = string.codePointAt(at);
            if (codePoint == c) {
                throw new IllegalArgumentException("a lone surrogate");
            }
            bytes[length++] = (byte) (0xF0 | (codePoint >> 18));
            bytes[length++] = (byte) (0x80 | ((codePoint >> 12) & 0x3F));
            bytes[length++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
            bytes[length++] = (byte) (0x80 | (codePoint & 0x3F));
            return 2;
        }
        return 1;
    }

    private void escape(char c) {
        bytes[length++] = '\\';
        bytes[length++] = ESCAPES[c];
        if (ESCAPES[c] == 'u') {
            bytes[length++] = '0';
            bytes[length++] = '0';
            bytes[length++] = HEX[c >> 4];
            bytes[length++] = HEX[c & 0xF];
        }
    }

    void number(double value) {
        reserve(NumberWriter.MOST_BYTES);
        length = NumberWriter.write(value, bytes, length);
    }

    void ascii(char c) {
        reserve(1);
        bytes[length++] = (byte) c;
    }

    private void ascii(byte[] word) {
        reserve(word.length);
        System.arraycopy(word, 0, bytes, length, word.length);
        length += word.length;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    private static byte[] escapes() {
        byte[] escapes = new byte[0x80];
        Arrays.fill(escapes, 0, 0x20, (byte) 'u');
        escapes['\b'] = 'b';
        escapes['\t'] = 't';
        escapes['\n'] = 'n';
        escapes['\f'] = 'f';
        escapes['\r'] = 'r';
        escapes['"'] = '"';
        escapes['\\'] = '\\';
        return escapes;
    }
}
