package dev.nonbis.bench.faults;

import java.util.Arrays;

/** A file's bytes in memory. */
final class GrowingBytes {

    private byte[] bytes = new byte[4_096];
    private int length;

    void put(long offset, byte[] data) {
        int from = Math.toIntExact(offset);
        reach(from + data.length);
        System.arraycopy(data, 0, bytes, from, data.length);
        length = Math.max(length, from + data.length);
    }

    /** Cuts the file, or fills it up with zeros. */
    void truncate(long to) {
        int end = Math.toIntExact(to);
        reach(end);
        if (end < length) {
            Arrays.fill(bytes, end, length, (byte) 0);
        }
        length = end;
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }

    private void reach(int end) {
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
    }
}
