package dev.nonbis.server.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Lines as they are on the disk: a line ends with a line feed and nothing else, and every other byte belongs to it. */
final class LineReader {

    /** An event holds at most a few bodies of a request, which are 1 MiB each. */
    static final int MAX_LINE_BYTES = 16 << 20;

    private final InputStream in;
    private long lines;
    private boolean endedWithinLine;

    /** A line that is longer than any event. */
    static final class TooLong extends IOException {

        private static final long serialVersionUID = 1;

        TooLong(long line) {
            super("line " + line + " is longer than " + (MAX_LINE_BYTES >> 20) + " MiB, so it is no event");
        }
    }

    LineReader(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /** The next line without its line feed; empty at the end. */
    Optional<byte[]> next() throws IOException {
        var line = new ByteArrayOutputStream(512);
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                lines++;
                return Optional.of(line.toByteArray());
            }
            if (line.size() == MAX_LINE_BYTES) {
                throw new TooLong(lines + 1);
            }
            line.write(b);
        }
        if (line.size() == 0) {
            return Optional.empty();
        }
        endedWithinLine = true;
        return Optional.of(line.toByteArray());
    }

    /** Whether the last line has no line feed, so that nobody knows whether it is whole. */
    boolean endedWithinLine() {
        return endedWithinLine;
    }
}
