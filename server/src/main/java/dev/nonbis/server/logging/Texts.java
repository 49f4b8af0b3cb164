package dev.nonbis.server.logging;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Texts that come from anywhere, as a line can have them. */
final class Texts {

    private Texts() {}

    static String stack(Throwable thrown) {
        var text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    /** The text without halves of characters, which JSON cannot hold. */
    static String whole(String text) {
        var whole = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point -> whole.appendCodePoint(
                        point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point));
        return whole.toString();
    }
}
