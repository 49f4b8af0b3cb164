package dev.nonbis.core.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight hexadecimal digits at a time as four bytes, because every submission has hundreds of them. */
final class HexDigits {

    static final int AT_ONCE = 8;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final long EACH = 0x0101_0101_0101_0101L;
    private static final int LETTERS_AFTER_DIGITS = 'a' - '0' - 10;

    private HexDigits() {}

    /** What the digits stand for; negative when one of them is none, or a capital. */
    static long values(byte[] text, int from) {
        long digits = (long) LONG.get(text, from);
        long isLetter = (digits >>> 6) & EACH;
        long values = (digits & 0x0f * EACH) + 9 * isLetter;
        // Told again as digits they are the same, or they were none.
        if (digits(values) != digits || (values & 0xf0f0_f0f0_f0f0_f0f0L) != 0) {
            return -1;
        }
        long pairs = ((values >>> 4) | values) & 0x00ff_00ff_00ff_00ffL;
        long fours = ((pairs >>> 8) | pairs) & 0x0000_ffff_0000_ffffL;
        return ((fours >>> 16) | fours) & 0xffff_ffffL;
    }

    static void put(int values, byte[] into, int at) {
        INT.set(into, at, values);
    }

    /** Spells four bytes as eight digits. */
    static void spell(byte[] values, int from, byte[] into, int at) {
        long fours = (int) INT.get(values, from) & 0xffff_ffffL;
        long pairs = ((fours << 16) | fours) & 0x0000_ffff_0000_ffffL;
        long bytes = ((pairs << 8) | pairs) & 0x00ff_00ff_00ff_00ffL;
        LONG.set(into, at, digits(((bytes << 4) | bytes) & 0x0f * EACH));
    }

    private static long digits(long values) {
        long isAboveNine = ((values + 6 * EACH) >>> 4) & EACH;
        return values + '0' * EACH + LETTERS_AFTER_DIGITS * isAboveNine;
    }
}
