package dev.nonbis.core.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The names of jobs, runs, requests, events and payments in sixteen bytes: 26 digits of base 32 behind one of a few prefixes. */
final class PackedName {

    /** Each has its place in what is stored: a new one goes to the end. */
    static final List<String> PREFIXES = List.of("job_", "run_", "req_", "evt_", "pay_");

    static final int TEXT_BYTES = 30;
    static final int BYTES = 16;

    private static final int PREFIX_BYTES = 4;
    private static final byte[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUES = values();
    private static final byte[][] PREFIX_TEXTS = PREFIXES.stream()
            .map(prefix -> prefix.getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);

    private PackedName() {}

    /** Which prefix the text begins with; negative when it is none of them. */
    static int prefixOf(byte[] text, int from) {
        for (int i = 0; i < PREFIX_TEXTS.length; i++) {
            if (Arrays.equals(text, from, from + PREFIX_BYTES, PREFIX_TEXTS[i], 0, PREFIX_BYTES)) {
                return i;
            }
        }
        return -1;
    }

    /** Packs the digits behind the prefix; whether they are digits, and no more than sixteen bytes can hold. */
    static boolean pack(byte[] text, int from, byte[] into, int at) {
        long high = 0;
        int wrong = 0;
        // Thirteen digits are 65 bits: the first digit of all has three, so that the first half has 63 and one goes
        // over.
        int digit = from + PREFIX_BYTES;
        for (int i = 0; i < 13; i++) {
            int value = VALUES[text[digit + i] & 0xff];
            wrong |= value;
            high = high << 5 | value;
        }
        int first = VALUES[text[digit + 13] & 0xff];
        wrong |= first;
        high = high << 1 | first >> 4;
        long low = first & 0xf;
        for (int i = 14; i < 26; i++) {
            int value = VALUES[text[digit + i] & 0xff];
            wrong |= value;
            low = low << 5 | value;
        }
        if (wrong < 0 || VALUES[text[digit] & 0xff] > 7) {
            return false;
        }
        put(high, into, at);
        put(low, into, at + Long.BYTES);
        return true;
    }

    static void unpack(byte[] packed, int from, int prefix, byte[] into, int at) {
        System.arraycopy(PREFIX_TEXTS[prefix], 0, into, at, PREFIX_BYTES);
        long high = get(packed, from);
        long low = get(packed, from + Long.BYTES);
        int digit = at + PREFIX_BYTES;
        into[digit + 13] = DIGITS[(int) ((high & 1) << 4 | low >>> 60)];
        for (int i = 25; i > 13; i--) {
            into[digit + i] = DIGITS[(int) low & 31];
            low >>>= 5;
        }
        high >>>= 1;
        for (int i = 12; i >= 0; i--) {
            into[digit + i] = DIGITS[(int) high & 31];
            high >>>= 5;
        }
    }

    private static void put(long bits, byte[] into, int at) {
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            into[at + i] = (byte) bits;
            bits >>>= 8;
        }
    }

    private static long get(byte[] from, int at) {
        long bits = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            bits = bits << 8 | (from[at + i] & 0xff);
        }
        return bits;
    }

    private static byte[] values() {
        byte[] values = new byte[256];
        Arrays.fill(values, (byte) -1);
        for (int i = 0; i < DIGITS.length; i++) {
            values[DIGITS[i]] = (byte) i;
        }
        return values;
    }
}
