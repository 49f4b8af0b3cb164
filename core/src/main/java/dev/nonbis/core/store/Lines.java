package dev.nonbis.core.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Several compact JSON texts in one body, a line each. Compact JSON has no line break, so that each part comes back byte for byte. */
final class Lines {

    private static final byte BREAK = '\n';

    private Lines() {}

    static byte[] join(byte[]... parts) {
        int length = parts.length - 1;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] joined = new byte[length];
        int at = 0;
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) {
                joined[at++] = BREAK;
            }
            System.arraycopy(parts[i], 0, joined, at, parts[i].length);
            at += parts[i].length;
        }
        return joined;
    }

    static List<byte[]> split(byte[] joined) {
        var parts = new ArrayList<byte[]>(3);
        int start = 0;
        for (int i = 0; i < joined.length; i++) {
            if (joined[i] == BREAK) {
                parts.add(Arrays.copyOfRange(joined, start, i));
                start = i + 1;
            }
        }
        parts.add(Arrays.copyOfRange(joined, start, joined.length));
        return parts;
    }
}
