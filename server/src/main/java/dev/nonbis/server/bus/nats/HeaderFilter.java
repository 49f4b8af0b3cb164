package dev.nonbis.server.bus.nats;

import io.nats.client.support.IncomingHeadersProcessor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What the broker sends, with every header block that the client library cannot read replaced by one that says so. The broker checks no
 * headers, and the library ends its reader at the first that it cannot read, with all that is behind it.
 *
 * <pre>
 *   LINE ──HMSG──▶ HEADERS ──as many bytes as the line says──▶ PAYLOAD ──as many bytes──▶ LINE
 *    │  └──MSG────────────────────────────────────────────────────▲
 *    └──anything else──▶ LINE
 * </pre>
 */
final class HeaderFilter {

    private static final byte[] REPLACEMENT =
            ("NATS/1.0\r\n" + MalformedHeaders.MARK + ": true\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_LINE = 1 << 20;
    private static final int CRLF = 2;

    private final Output ready = new Output();
    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
    private String[] line = {};
    private long headersLeft;
    private long payloadLeft;

    /** Takes bytes as they come from the broker. */
    void write(byte[] bytes, int count) throws IOException {
        for (int at = 0; at < count; ) {
            if (payloadLeft > 0) {
                int some = (int) Math.min(payloadLeft, count - at);
                ready.write(bytes, at, some);
                payloadLeft -= some;
                at += some;
            } else if (headersLeft > 0) {
                int some = (int) Math.min(headersLeft, count - at);
                gathered.write(bytes, at, some);
                headersLeft -= some;
                at += some;
                if (headersLeft == 0) {
                    endHeaders();
                }
            } else {
                gathered.write(bytes[at]);
                if (bytes[at++] == '\n') {
                    endLine();
                } else if (gathered.size() > MAX_LINE) {
                    throw new IOException("the broker sends a line without an end");
                }
            }
        }
    }

    boolean isEmpty() {
        return ready.size() == 0;
    }

    /** Gives bytes on as the client may have them; how many. */
    int read(byte[] into, int offset, int length) {
        return ready.drain(into, offset, length);
    }

    private void endLine() throws IOException {
        byte[] bytes = gathered.toByteArray();
        gathered.reset();
        line = new String(bytes, StandardCharsets.ISO_8859_1).strip().split("[ \t]+");
        switch (line[0]) {
            case "HMSG" -> {
                headersLeft = number(line.length - 2);
                if (headersLeft == 0) {
                    endHeaders();
                }
            }
            case "MSG" -> {
                ready.write(bytes, 0, bytes.length);
                payloadLeft = number(line.length - 1) + CRLF;
            }
            default -> ready.write(bytes, 0, bytes.length);
        }
    }

    private void endHeaders() throws IOException {
        byte[] sent = gathered.toByteArray();
        gathered.reset();
        byte[] headers = isReadable(sent) ? sent : REPLACEMENT;
        long payload = number(line.length - 1) - sent.length;
        line[line.length - 2] = Integer.toString(headers.length);
        line[line.length - 1] = Long.toString(headers.length + payload);
        ready.writeBytes((String.join(" ", line) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        ready.writeBytes(headers);
        payloadLeft = payload + CRLF;
    }

    private long number(int word) throws IOException {
        try {
            return Long.parseUnsignedLong(line[word]);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IOException("the broker sends a message of no length", e);
        }
    }

    // By the library's own parser, which is the one that would fail.
    private static boolean isReadable(byte[] headers) {
        try {
            return new IncomingHeadersProcessor(headers).getSerializedLength() == headers.length;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Bytes that are read from the front while more are written. */
    private static final class Output extends ByteArrayOutputStream {

        private int from;

        @Override
        public synchronized int size() {
            return count - from;
        }

        synchronized int drain(byte[] into, int offset, int length) {
            int some = Math.min(length, size());
            System.arraycopy(buf, from, into, offset, some);
            from += some;
            if (from == count) {
                reset();
                from = 0;
            }
            return some;
        }
    }
}
