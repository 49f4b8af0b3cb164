package dev.nonbis.core.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a row's parts one behind another, each as short as it can be told: numbers in as many bytes as they need, digests in half
 * their characters, names of things in sixteen bytes. {@link Unpacker} reads the same parts in the same order, byte for byte.
 */
final class Packer {

    /** Begins every packed row, so that rows of another kind are told from it. */
    static final byte FORMAT = 1;

    /** What may stand for a text: the slot's text in the one before, or one of those that the reader knows already. */
    static final int SAME = 0;

    static final int FIRST_KNOWN = 1;
    static final int MOST_KNOWN = 2;
    static final int HEX_16 = FIRST_KNOWN + MOST_KNOWN;
    static final int HEX_32 = HEX_16 + 1;
    static final int FIRST_NAME = HEX_32 + 1;
    static final int FIRST_LENGTH = FIRST_NAME + PackedName.PREFIXES.size();

    private static final int MOST_NUMBER_BYTES = 10;
    private static final byte[] NOTHING = {};

    private byte[] bytes;
    private int at;

    Packer(int expectedBytes) {
        bytes = new byte[expectedBytes];
        bytes[at++] = FORMAT;
    }

    /** A packed row behind a word that people who look into the store can read, and a gap. */
    Packer(byte[] word, char gap, int expectedBytes) {
        bytes = Arrays.copyOf(word, word.length + expectedBytes);
        at = word.length;
        bytes[at++] = (byte) gap;
        bytes[at++] = FORMAT;
    }

    /** Small ones take little room, whatever their sign. */
    Packer number(long number) {
        room(MOST_NUMBER_BYTES);
        long rest = number << 1 ^ number >> 63;
        while ((rest & ~0x7fL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
        return this;
    }

    /** Whether something follows. */
    Packer flag(boolean present) {
        return number(present ? 1 : 0);
    }

    Packer optional(Optional<Long> number) {
        flag(number.isPresent());
        return number.isPresent() ? number(number.get()) : this;
    }

    Packer text(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        return text(encoded, 0, encoded.length);
    }

    Packer bytes(byte[] raw) {
        return number(raw.length).raw(raw, 0, raw.length);
    }

    /**
     * A text as what stands in its slots.
     *
     * @param before the slots of the text before it, if there is one of the same form
     * @param known one or two texts that may well stand in a slot, and that the reader has
     */
    Packer slots(Form.Slots slots, Form.@Nullable Slots before, byte[]... known) {
        for (int i = 0; i < slots.count(); i++) {
            if (before != null && slots.holds(i, before.text(), before.from(i), before.to(i))) {
                number(SAME);
            } else if (known[0].length > 0 && slots.holds(i, known[0], 0, known[0].length)) {
                number(FIRST_KNOWN);
            } else if (known.length == MOST_KNOWN && slots.holds(i, known[1], 0, known[1].length)) {
                number(FIRST_KNOWN + 1L);
            } else {
                text(slots.text(), slots.from(i), slots.to(i));
            }
        }
        return this;
    }

    byte[] end() {
        return Arrays.copyOf(bytes, at);
    }

    static byte[] nothing() {
        return NOTHING;
    }

    Packer text(byte[] text, int from, int to) {
        int length = to - from;
        boolean isShort = switch (length) {
            case PackedName.TEXT_BYTES -> name(text, from);
            case 32, 64 -> hex(text, from, length);
            default -> false;
        };
        return isShort ? this : number(FIRST_LENGTH + (long) length).raw(text, from, length);
    }

    private boolean name(byte[] text, int from) {
        int prefix = PackedName.prefixOf(text, from);
        if (prefix < 0) {
            return false;
        }
        room(1 + PackedName.BYTES);
        if (!PackedName.pack(text, from, bytes, at + 1)) {
            return false;
        }
        number(FIRST_NAME + (long) prefix);
        at += PackedName.BYTES;
        return true;
    }

    // Tried in their place, eight digits at a time; they count only if all of them are digits.
    private boolean hex(byte[] text, int from, int length) {
        room(1 + length / 2);
        for (int i = 0, place = at + 1; i < length; i += HexDigits.AT_ONCE, place += HexDigits.AT_ONCE / 2) {
            long values = HexDigits.values(text, from + i);
            if (values < 0) {
                return false;
            }
            HexDigits.put((int) values, bytes, place);
        }
        number(length == 32 ? HEX_16 : HEX_32);
        at += length / 2;
        return true;
    }

    private Packer raw(byte[] raw, int from, int length) {
        room(length);
        System.arraycopy(raw, from, bytes, at, length);
        at += length;
        return this;
    }

    private void room(int more) {
        if (bytes.length - at < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, at + more));
        }
    }
}
