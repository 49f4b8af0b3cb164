package dev.nonbis.server.store.sql;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Writes one record after another, each as one write if it is small; of a large one only a block is in memory. Its first bytes come last,
 * because they tell how long it is. Used by one thread at a time.
 */
final class JournalOutput {

    private static final int BLOCK_BYTES = 1 << 18;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** What every record begins with. */
    static final int MAGIC = 0x6e6f6e31;

    static final int AT_LENGTH = 4;
    static final int AT_CHECKSUM = 8;

    /** From here on the checksum counts. */
    static final int AT_CONTENT = 12;

    private final FileChannel channel;
    private final byte[] block = new byte[BLOCK_BYTES];
    private final CRC32C sum = new CRC32C();
    private long start;
    private int used;
    private long spilled;

    JournalOutput(FileChannel channel) {
        this.channel = channel;
    }

    /** Begins a record at this place in the file. */
    void begin(long at) {
        start = at;
        used = AT_CONTENT;
        spilled = 0;
        sum.reset();
    }

    /** Writes what is left of the record and returns its length. */
    int end() throws IOException {
        int length = Math.toIntExact(spilled + used);
        count();
        if (spilled == 0) {
            putFirst(length);
            write(0, used, start);
        } else {
            write(0, used, start + spilled);
            putFirst(length);
            write(0, AT_CONTENT, start);
        }
        return length;
    }

    void putByte(byte value) throws IOException {
        makeRoom(1);
        block[used++] = value;
    }

    void putInt(int value) throws IOException {
        makeRoom(Integer.BYTES);
        INT.set(block, used, value);
        used += Integer.BYTES;
    }

    void putLong(long value) throws IOException {
        makeRoom(Long.BYTES);
        LONG.set(block, used, value);
        used += Long.BYTES;
    }

    void putText(String text) throws IOException {
        putBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    void putBytes(byte[] value) throws IOException {
        putInt(value.length);
        int from = 0;
        while (from < value.length) {
            makeRoom(1);
            int part = Math.min(value.length - from, BLOCK_BYTES - used);
            System.arraycopy(value, from, block, used, part);
            used += part;
            from += part;
        }
    }

    private void putFirst(int length) {
        INT.set(block, 0, MAGIC);
        INT.set(block, AT_LENGTH, length);
        INT.set(block, AT_CHECKSUM, (int) sum.getValue());
    }

    private void makeRoom(int bytes) throws IOException {
        if (used + bytes > BLOCK_BYTES) {
            count();
            int from = spilled == 0 ? AT_CONTENT : 0;
            write(from, used, start + spilled + from);
            spilled += used;
            used = 0;
        }
    }

    private void count() {
        int from = spilled == 0 ? AT_CONTENT : 0;
        sum.update(block, from, used - from);
    }

    private void write(int from, int to, long at) throws IOException {
        var bytes = ByteBuffer.wrap(block, from, to - from);
        while (bytes.hasRemaining()) {
            channel.write(bytes, at + bytes.position() - from);
        }
    }
}
