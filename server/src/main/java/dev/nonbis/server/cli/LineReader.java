package dev.nonbis.server.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Lines as they are on the disk: a line ends with a line feed and nothing else, and every other byte belongs to it. */
final class LineReader {

    private final InputStream in;
    private boolean endedWithinLine;

    LineReader(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /** The next line without its line feed; empty at the end. */
    Optional<byte[]> next() throws IOException {
        var line = new ByteArrayOutputStream(512);
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                return Optional.of(line.toByteArray());
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
