package dev.nonbis.bench.load;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Takes a response's bytes as they come and picks out the status, the length and the replay header, nothing else. */
final class ResponseParser {

    private static final byte[] CONTENT_LENGTH = lower("content-length:");
    private static final byte[] IDEMPOTENT_REPLAYED = lower("idempotent-replayed:");
    private static final byte[] TRANSFER_ENCODING = lower("transfer-encoding:");
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int IN_HEAD = -1;

    private byte[] bytes = new byte[4_096];
    private int filled;
    private int lineStart;
    private int scanned;
    private int status;
    private int contentLength;
    private int bodyStart;
    private boolean replayed;

    ResponseParser() {
        reset();
    }

    void reset() {
        filled = 0;
        lineStart = 0;
        scanned = 0;
        status = 0;
        contentLength = 0;
        bodyStart = IN_HEAD;
        replayed = false;
    }

    /** Takes all bytes of the buffer; true when the response is complete. */
    boolean take(ByteBuffer received) throws ProtocolException {
        int more = received.remaining();
        if (filled + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, filled + more));
        }
        received.get(bytes, filled, more);
        filled += more;
        if (bodyStart == IN_HEAD) {
            scanHead();
        }
        if (bodyStart == IN_HEAD) {
            return false;
        }
        int end = bodyStart + contentLength;
        if (filled > end) {
            throw new ProtocolException("bytes after the response: " + text(0));
        }
        return filled == end;
    }

    private void scanHead() throws ProtocolException {
        for (; scanned < filled; scanned++) {
            if (bytes[scanned] != '\n') {
                continue;
            }
            int lineEnd = scanned - 1;
            if (lineEnd == lineStart) {
                bodyStart = scanned + 1;
                return;
            }
            takeLine(lineEnd);
            lineStart = scanned + 1;
        }
    }

    private void takeLine(int lineEnd) throws ProtocolException {
        if (lineStart == 0) {
            status = number(STATUS_AT, STATUS_AT + 3);
            return;
        }
        // The first letter decides for nearly every header that it is none of ours.
        switch (bytes[lineStart] | 0x20) {
            case 'c' -> {
                if (lineStartsWith(CONTENT_LENGTH)) {
                    contentLength = number(lineStart + CONTENT_LENGTH.length, lineEnd);
                }
            }
            case 'i' -> {
                if (lineStartsWith(IDEMPOTENT_REPLAYED)) {
                    replayed = bytes[lineEnd - 1] == 'e';
                }
            }
            case 't' -> {
                if (lineStartsWith(TRANSFER_ENCODING)) {
                    throw new ProtocolException("the load generator reads no chunked response: " + text(0));
                }
            }
            default -> {}
        }
    }

    private boolean lineStartsWith(byte[] lowercase) {
        for (int i = 0; i < lowercase.length; i++) {
            int b = bytes[lineStart + i];
            if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != lowercase[i]) {
                return false;
            }
        }
        return true;
    }

    private int number(int from, int to) throws ProtocolException {
        int number = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] == ' ') {
                continue;
            }
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new ProtocolException("not a number in a response's head: " + text(0));
            }
            number = number * 10 + digit;
        }
        return number;
    }

    int status() {
        return status;
    }

    boolean replayed() {
        return replayed;
    }

    String body() {
        return text(Math.max(bodyStart, 0));
    }

    private String text(int from) {
        return new String(bytes, from, Math.min(filled - from, 600), StandardCharsets.UTF_8);
    }

    private static byte[] lower(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
