package dev.nonbis.core.audit;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One change to an export: a byte changed, removed or added, or a line removed, added or swapped.
 *
 * @param first the first line that is not as it was
 */
record Tampering(List<byte[]> lines, int first, String what) {

    static Tampering of(List<byte[]> original, SplittableRandom random) {
        var lines = new ArrayList<>(original);
        int at = random.nextInt(lines.size());
        return switch (random.nextInt(6)) {
            case 0 -> bytes(lines, at, changed(lines.get(at), random), "a byte changed in line ");
            case 1 -> bytes(lines, at, removed(lines.get(at), random), "a byte removed from line ");
            case 2 -> bytes(lines, at, added(lines.get(at), random), "a byte added to line ");
            case 3 -> {
                lines.remove(at);
                // Without its last line the export ends too soon, which shows at its end alone.
                yield new Tampering(lines, Math.min(at, lines.size() - 1), "line " + at + " removed");
            }
            case 4 -> {
                lines.add(at, original.get(random.nextInt(original.size())));
                yield new Tampering(lines, at, "a line added before line " + at);
            }
            default -> {
                int other = (at + 1 + random.nextInt(lines.size() - 1)) % lines.size();
                Collections.swap(lines, at, other);
                yield new Tampering(lines, Math.min(at, other), "lines " + at + " and " + other + " swapped");
            }
        };
    }

    private static Tampering bytes(List<byte[]> lines, int at, byte[] line, String what) {
        lines.remove(at);
        lines.addAll(at, split(line));
        return new Tampering(lines, at, what + at);
    }

    /** A line break is a byte like any other: adding one makes two lines. */
    private static List<byte[]> split(byte[] line) {
        var parts = new ArrayList<byte[]>();
        var part = new ByteArrayOutputStream();
        for (byte b : line) {
            if (b == '\n') {
                parts.add(part.toByteArray());
                part.reset();
            } else {
                part.write(b);
            }
        }
        parts.add(part.toByteArray());
        return parts;
    }

    private static byte[] changed(byte[] line, SplittableRandom random) {
        byte[] copy = line.clone();
        copy[random.nextInt(copy.length)] ^= (byte) (1 + random.nextInt(255));
        return copy;
    }

    private static byte[] removed(byte[] line, SplittableRandom random) {
        int at = random.nextInt(line.length);
        byte[] copy = Arrays.copyOf(line, line.length - 1);
        System.arraycopy(line, at + 1, copy, at, line.length - at - 1);
        return copy;
    }

    private static byte[] added(byte[] line, SplittableRandom random) {
        int at = random.nextInt(line.length + 1);
        byte[] copy = Arrays.copyOf(line, line.length + 1);
        System.arraycopy(line, at, copy, at + 1, line.length - at);
        copy[at] = (byte) random.nextInt(256);
        return copy;
    }
}
