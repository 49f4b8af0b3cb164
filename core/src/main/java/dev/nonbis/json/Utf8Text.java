package dev.nonbis.json;

import dev.nonbis.json.JsonRefused.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What must be known of the bytes before Jackson sees them: it takes overlong forms and code points beyond the last, and it
 * does not tell a lone surrogate from other mistakes.
 */
final class Utf8Text {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long BACKSLASHES = '\\' * LOW_BITS;

    private final byte[] bytes;
    private int at;
    private int loneSurrogate = -1;

    private Utf8Text(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Where the first surrogate without its other half stands, escaped or encoded by itself; -1 when there is none.
     *
     * <p>Escapes are looked at wherever they stand, because outside a string they are an error that the parser meets first.
     *
     * @throws JsonRefused when the bytes are not UTF-8
     */
    static int firstLoneSurrogate(byte[] bytes) {
        Utf8Text text = new Utf8Text(bytes);
        text.scan();
        return text.loneSurrogate;
    }

    /** A refusal that tells line and column, counted from one and in code points. */
    static JsonRefused refused(Reason reason, String what, byte[] bytes, int offset) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < offset; i++) {
            if (bytes[i] == '\n') {
                line++;
                column = 1;
            } else if ((bytes[i] & 0xC0) != 0x80) {
                column++;
            }
        }
        return new JsonRefused(reason, what + " at line " + line + ", column " + column);
    }

    private void scan() {
        while (at < bytes.length) {
            skipPlain();
            if (at == bytes.length) {
                return;
            }
            int b = bytes[at];
            if (b < 0) {
                sequence(b & 0xFF);
            } else if (b == '\\') {
                escape();
            } else {
                at++;
            }
        }
    }

    /** Leaves out eight bytes at a time as long as none is a backslash or beyond ASCII. */
    private void skipPlain() {
        int last = bytes.length - Long.BYTES;
        while (at <= last) {
            long eight = (long) LONGS.get(bytes, at);
            long zeroAtBackslash = eight ^ BACKSLASHES;
            long hits = eight | ((zeroAtBackslash - LOW_BITS) & ~zeroAtBackslash);
            if ((hits & HIGH_BITS) != 0) {
                at += Long.numberOfTrailingZeros(hits & HIGH_BITS) >>> 3;
                return;
            }
            at += Long.BYTES;
        }
    }

    /** One code point beyond ASCII, by the table of well-formed sequences in Unicode 3.9. */
    private void sequence(int first) {
        int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (length == 0 || bytes.length - at < length) {
            throw notUtf8();
        }
        int second = bytes[at + 1] & 0xFF;
        int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int most = first == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            throw notUtf8();
        }
        for (int i = 2; i < length; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                throw notUtf8();
            }
        }
        if (first == 0xED && second >= 0xA0) {
            foundLoneSurrogate();
        }
        at += length;
    }

    private JsonRefused notUtf8() {
        return refused(Reason.SYNTAX, "not UTF-8", bytes, at);
    }

    private void escape() {
        int unit = escapedUnit(at);
        if (unit < 0) {
            // A backslash takes the next byte with it, unless that byte starts a longer sequence.
            at += at + 1 < bytes.length && bytes[at + 1] >= 0 ? 2 : 1;
        } else if (!Character.isSurrogate((char) unit)) {
            at += 6;
        } else if (Character.isHighSurrogate((char) unit) && isEscapedLowSurrogate(at + 6)) {
            at += 12;
        } else {
            foundLoneSurrogate();
            at += 6;
        }
    }

    private boolean isEscapedLowSurrogate(int from) {
        int unit = escapedUnit(from);
        return unit >= 0 && Character.isLowSurrogate((char) unit);
    }

    /** The value of an escape with four hex digits, or -1 when none starts here. */
    private int escapedUnit(int from) {
        if (bytes.length - from < 6 || bytes[from] != '\\' || bytes[from + 1] != 'u') {
            return -1;
        }
        int unit = 0;
        for (int i = from + 2; i < from + 6; i++) {
            int digit = Character.digit(bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = (unit << 4) | digit;
        }
        return unit;
    }

    private void foundLoneSurrogate() {
        if (loneSurrogate < 0) {
            loneSurrogate = at;
        }
    }
}
