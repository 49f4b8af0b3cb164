package dev.nonbis.bench.faults;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a disk was told, in order. */
final class DiskLog {

    private static final int HEAD_BYTES = 15;

    private DiskLog() {}

    /** Something that the disk was told, and where in the log it stands. */
    sealed interface Told {
        long at();

        String name();
    }

    record Written(long at, String name, long offset, byte[] data) implements Told {}

    record Truncated(long at, String name, long length) implements Told {}

    record Created(long at, String name) implements Told {}

    record Removed(long at, String name) implements Told {}

    record Renamed(long at, String name, String newName) implements Told {}

    /** A file that has two names from now on. */
    record Linked(long at, String name, String newName) implements Told {}

    /** A file's flush, which covers what was told before it began. */
    record Flushed(long at, String name, long began) implements Told {}

    /** The flush of a directory's names. */
    record NamesFlushed(long at, String name, long began) implements Told {}

    /** All that was told before this position. */
    static List<Told> read(Path log, long end) throws IOException {
        var told = new ArrayList<Told>();
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(log), 1 << 16))) {
            long at = 0;
            while (at + HEAD_BYTES <= end) {
                var head = ByteBuffer.wrap(in.readNBytes(HEAD_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
                int nameLength = Short.toUnsignedInt(head.getShort(1));
                int dataLength = head.getInt(3);
                long length = HEAD_BYTES + nameLength + (long) dataLength;
                if (at + length > end) {
                    break;
                }
                var name = new String(in.readNBytes(nameLength), StandardCharsets.UTF_8);
                told.add(told((char) head.get(0), at, name, head.getLong(7), in.readNBytes(dataLength)));
                at += length;
            }
        }
        return told;
    }

    private static Told told(char kind, long at, String name, long number, byte[] data) throws IOException {
        return switch (kind) {
            case 'W' -> new Written(at, name, number, data);
            case 'T' -> new Truncated(at, name, number);
            case 'C' -> new Created(at, name);
            case 'U' -> new Removed(at, name);
            case 'R' -> new Renamed(at, name, new String(data, StandardCharsets.UTF_8));
            case 'L' -> new Linked(at, name, new String(data, StandardCharsets.UTF_8));
            case 'S' -> new Flushed(at, name, number);
            case 'D' -> new NamesFlushed(at, name, number);
            default -> throw new IOException("not a log of a disk: " + kind + " at " + at);
        };
    }
}
