package dev.nonbis.core.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A form that many JSON texts have: fixed parts with slots between them. Such a text is kept as what stands in its slots. Whatever is taken
 * for a slot, the parts and the slots in their order are the text again. Rows depend on forms, so that none of them ever changes.
 */
final class Form {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101_0101_0101_0101L;

    private final byte[][] fixed;

    Form(String... fixed) {
        this.fixed = Arrays.stream(fixed)
                .map(part -> part.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }

    /** A text and where its slots begin and end. */
    record Slots(byte[] text, int[] bounds) {

        int count() {
            return bounds.length / 2;
        }

        int from(int slot) {
            return bounds[2 * slot];
        }

        int to(int slot) {
            return bounds[2 * slot + 1];
        }

        boolean holds(int slot, byte[] other, int start, int end) {
            return Arrays.equals(text, from(slot), to(slot), other, start, end);
        }

        String value(int slot) {
            return new String(text, from(slot), to(slot) - from(slot), StandardCharsets.UTF_8);
        }
    }

    /** A text of one of several forms. */
    record Filled(int form, Slots slots) {}

    /**
     * The form that the text has.
     *
     * @param likely which of them is tried first; it is only quicker, because no text has two of them
     */
    static Optional<Filled> filled(List<Form> forms, byte[] text, int likely) {
        for (int i = 0; i < forms.size(); i++) {
            int form = (likely + i) % forms.size();
            var slots = forms.get(form).slots(text);
            if (slots.isPresent()) {
                return Optional.of(new Filled(form, slots.get()));
            }
        }
        return Optional.empty();
    }

    int slotCount() {
        return fixed.length - 1;
    }

    byte[] fixed(int part) {
        return fixed[part];
    }

    private Optional<Slots> slots(byte[] text) {
        if (!isAt(fixed[0], text, 0)) {
            return Optional.empty();
        }
        int[] bounds = new int[2 * slotCount()];
        int at = fixed[0].length;
        for (int i = 0; i < slotCount(); i++) {
            byte[] next = fixed[i + 1];
            int end = i == slotCount() - 1 ? text.length - next.length : find(next, text, at);
            if (end < at || !isAt(next, text, end)) {
                return Optional.empty();
            }
            bounds[2 * i] = at;
            bounds[2 * i + 1] = end;
            at = end + next.length;
        }
        return Optional.of(new Slots(text, bounds));
    }

    // A slot ends where the next part begins with a character that no slot has, unless a backslash is before it.
    private static int find(byte[] part, byte[] text, int from) {
        int at = from;
        while (true) {
            at = skip(text, at, part[0]);
            if (at >= text.length || text[at] == part[0]) {
                return at;
            }
            at += text[at] == '\\' ? 2 : 1;
        }
    }

    // Eight characters at a time, as long as neither the one that is looked for nor a backslash is among them.
    private static int skip(byte[] text, int from, byte end) {
        int at = from;
        while (at + Long.BYTES <= text.length) {
            long eight = (long) LONG.get(text, at);
            if ((zeros(eight ^ end * EACH) | zeros(eight ^ '\\' * EACH)) != 0) {
                break;
            }
            at += Long.BYTES;
        }
        return at;
    }

    private static boolean isAt(byte[] part, byte[] text, int at) {
        return at + part.length <= text.length && Arrays.equals(part, 0, part.length, text, at, at + part.length);
    }

    // Not zero if one of the bytes is.
    private static long zeros(long bytes) {
        return (bytes - EACH) & ~bytes & 0x8080_8080_8080_8080L;
    }
}
