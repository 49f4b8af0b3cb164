package dev.nonbis.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** A request's bytes with places for one number, patched in place so that a request costs a copy and a few digits. */
public final class RequestTemplate {

    /** Stands for the number wherever it appears in the text; the number takes as many digits. */
    public static final String SLOT = "############";

    private final byte[] bytes;
    private final int[] slots;

    private RequestTemplate(byte[] bytes, int[] slots) {
        this.bytes = bytes;
        this.slots = slots;
    }

    /** The head's lines, without the length of the body, and the body; all ASCII. */
    public static RequestTemplate of(String headLines, String body) {
        var text = headLines.strip().lines().reduce("", (all, line) -> all + line.strip() + "\r\n")
                + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        var slots = IntStream.iterate(text.indexOf(SLOT), at -> at >= 0, at -> text.indexOf(SLOT, at + SLOT.length()))
                .toArray();
        return new RequestTemplate(text.getBytes(StandardCharsets.US_ASCII), slots);
    }

    public int length() {
        return bytes.length;
    }

    public void write(long number, ByteBuffer into) {
        for (int slot : slots) {
            long rest = number;
            for (int i = slot + SLOT.length() - 1; i >= slot; i--) {
                bytes[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
        }
        into.put(bytes);
    }
}
