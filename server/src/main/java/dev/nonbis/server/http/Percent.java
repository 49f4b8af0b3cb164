package dev.nonbis.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Percent-decoding that refuses what it cannot read, control characters included. */
final class Percent {

    private Percent() {}

    /** The decoded path segment, or nothing when it is not one. A {@code +} stays what it is. */
    static Optional<String> segment(String raw) {
        return raw.indexOf('%') < 0 ? plain(raw) : decoded(raw, false);
    }

    /** The decoded name or value of a query; a {@code +} is a space. */
    static Optional<String> query(String raw) {
        return raw.indexOf('%') < 0 && raw.indexOf('+') < 0 ? plain(raw) : decoded(raw, true);
    }

    private static Optional<String> plain(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            if (!visible(raw.charAt(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(raw);
    }

    private static Optional<String> decoded(String raw, boolean plusIsSpace) {
        var bytes = ByteBuffer.allocate(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                int value = i + 2 < raw.length() ? hex(raw.charAt(i + 1)) << 4 | hex(raw.charAt(i + 2)) : -1;
                if (value < ' ' || value == 0x7f) {
                    return Optional.empty();
                }
                bytes.put((byte) value);
                i += 2;
            } else if (visible(c)) {
                bytes.put((byte) (c == '+' && plusIsSpace ? ' ' : c));
            } else {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString());
        } catch (CharacterCodingException notUtf8) {
            return Optional.empty();
        }
    }

    private static boolean visible(char c) {
        return c > ' ' && c < 0x7f;
    }

    /** Negative for anything but a hexadecimal digit, and so is a byte made with it. */
    private static int hex(char c) {
        return Character.digit(c, 16);
    }
}
