package dev.nonbis.core.store;

import dev.nonbis.core.store.Form.Slots;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a {@link Packer} has written, part by part. */
final class Unpacker {

    private final byte[] bytes;
    private int at;

    Unpacker(byte[] row) {
        this(row, 0);
    }

    /** Reads what is packed from a place on. */
    Unpacker(byte[] row, int from) {
        if (from >= row.length || row[from] != Packer.FORMAT) {
            throw new IllegalStateException("a stored row is of a form that this server does not know");
        }
        bytes = row;
        at = from + 1;
    }

    long number() {
        long number = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes[at++];
            number |= (next & 0x7fL) << shift;
            shift += 7;
        } while (next < 0);
        return number >>> 1 ^ -(number & 1);
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    boolean flag() {
        return number() != 0;
    }

    Optional<Long> optional() {
        return flag() ? Optional.of(number()) : Optional.empty();
    }

    String text() {
        int kind = (int) number();
        if (kind >= Packer.FIRST_LENGTH) {
            int length = kind - Packer.FIRST_LENGTH;
            return new String(bytes, take(length), length, StandardCharsets.UTF_8);
        }
        byte[] text = new byte[lengthOf(kind)];
        into(kind, text, 0);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    byte[] bytes() {
        int from = take((int) number());
        return Arrays.copyOfRange(bytes, from, at);
    }

    /** How many things follow, each of at least one byte. */
    int count() {
        long count = number();
        if (count < 0 || count > bytes.length - at) {
            throw new IllegalStateException("a stored row says that it holds more than it does");
        }
        return (int) count;
    }

    // Before memory is taken for it: a damaged length may be any number.
    private int take(int length) {
        if (length < 0 || length > bytes.length - at) {
            throw new IllegalStateException("a stored row ends before its parts");
        }
        at += length;
        return at - length;
    }

    /** The text whose slots were packed, given what was given then. */
    Slots slots(Form form, @Nullable Slots before, byte[]... known) {
        var text = new Text();
        int[] bounds = new int[2 * form.slotCount()];
        for (int i = 0; i < form.slotCount(); i++) {
            text.add(form.fixed(i), 0, form.fixed(i).length);
            bounds[2 * i] = text.length;
            slot(text, before, i, known);
            bounds[2 * i + 1] = text.length;
        }
        byte[] end = form.fixed(form.slotCount());
        text.add(end, 0, end.length);
        return new Slots(text.whole(), bounds);
    }

    private void slot(Text text, @Nullable Slots before, int slot, byte[][] known) {
        int kind = (int) number();
        if (kind >= Packer.FIRST_LENGTH) {
            int length = kind - Packer.FIRST_LENGTH;
            text.add(bytes, take(length), length);
        } else if (kind == Packer.SAME && before != null) {
            text.add(before.text(), before.from(slot), before.to(slot) - before.from(slot));
        } else if (kind >= Packer.FIRST_KNOWN && kind < Packer.HEX_16) {
            byte[] repeated = known[kind - Packer.FIRST_KNOWN];
            text.add(repeated, 0, repeated.length);
        } else {
            int length = lengthOf(kind);
            text.room(length);
            into(kind, text.bytes, text.length);
            text.length += length;
        }
    }

    private static int lengthOf(int kind) {
        return switch (kind) {
            case Packer.HEX_16 -> 32;
            case Packer.HEX_32 -> 64;
            default -> {
                if (kind < Packer.FIRST_NAME || kind >= Packer.FIRST_LENGTH) {
                    throw new IllegalStateException("a stored text of an unknown kind");
                }
                yield PackedName.TEXT_BYTES;
            }
        };
    }

    private void into(int kind, byte[] text, int from) {
        if (kind >= Packer.FIRST_NAME) {
            PackedName.unpack(bytes, at, kind - Packer.FIRST_NAME, text, from);
            at += PackedName.BYTES;
            return;
        }
        int end = from + lengthOf(kind);
        for (int i = from; i < end; i += HexDigits.AT_ONCE) {
            HexDigits.spell(bytes, at, text, i);
            at += HexDigits.AT_ONCE / 2;
        }
    }

    /** A text that grows. */
    private static final class Text {

        byte[] bytes = new byte[512];
        int length;

        void add(byte[] from, int start, int count) {
            room(count);
            System.arraycopy(from, start, bytes, length, count);
            length += count;
        }

        void room(int more) {
            if (bytes.length - length < more) {
                bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
            }
        }

        byte[] whole() {
            return Arrays.copyOf(bytes, length);
        }
    }
}
