package dev.nonbis.server.store.sql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow as they are put, used again and again by one thread at a time. */
final class JournalBuffer {

    private static final int FIRST_BYTES = 1 << 18;
    // A large batch must not keep its memory for ever.
    private static final int KEPT_BYTES = 1 << 22;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    /** Begins anew, with room for a head that is set at the end. */
    void begin(int headBytes) {
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
        length = headBytes;
    }

    int length() {
        return length;
    }

    void putByte(byte value) {
        int at = grownBy(1);
        bytes[at] = value;
    }

    void putInt(int value) {
        int at = grownBy(Integer.BYTES);
        INT.set(bytes, at, value);
    }

    void putLong(long value) {
        int at = grownBy(Long.BYTES);
        LONG.set(bytes, at, value);
    }

    void putText(String text) {
        putBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    void putBytes(byte[] value) {
        putInt(value.length);
        int at = grownBy(value.length);
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    void setInt(int at, int value) {
        INT.set(bytes, at, value);
    }

    void setLong(int at, long value) {
        LONG.set(bytes, at, value);
    }

    ByteBuffer content() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    /** Makes room, perhaps in another array, and says where it is. */
    private int grownBy(int more) {
        int at = length;
        int needed = Math.addExact(length, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, Math.multiplyExact(bytes.length, 2)));
        }
        length = needed;
        return at;
    }
}
