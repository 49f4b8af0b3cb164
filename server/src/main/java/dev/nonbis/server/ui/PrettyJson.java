package dev.nonbis.server.ui;

import dev.nonbis.json.JsonSlice;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** JSON over several lines, or as much of it as a page shows; it is not read into objects, however large it is. */
final class PrettyJson {

    /** What a page shows of one value at most. */
    static final int MAX_BYTES = 64 * 1024;

    private final JsonSlice json;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int at;
    private int depth;

    private PrettyJson(JsonSlice json) {
        this.json = json;
        this.at = json.from();
    }

    /** The text is one that {@link dev.nonbis.json.Json} has written. */
    static String of(JsonSlice json) {
        return new PrettyJson(json).text();
    }

    private String text() {
        while (at < json.to() && out.size() < MAX_BYTES) {
            byte next = json.text()[at++];
            switch (next) {
                case '"' -> string();
                case '{', '[' -> open(next);
                case '}', ']' -> {
                    depth--;
                    line();
                    out.write(next);
                }
                case ',' -> {
                    out.write(next);
                    line();
                }
                case ':' -> out.writeBytes(new byte[] {':', ' '});
                default -> out.write(next);
            }
        }
        var shown = out.toString(StandardCharsets.UTF_8);
        return at == json.to() ? shown : cut(shown);
    }

    // A character of which only a part fitted is left out.
    private String cut(String shown) {
        var whole = shown.endsWith("\ufffd") ? shown.substring(0, shown.length() - 1) : shown;
        return whole + "\n… The beginning of " + Show.count(json.length()) + " bytes; the API has all of them.";
    }

    private void string() {
        out.write('"');
        byte next;
        do {
            next = json.text()[at++];
            out.write(next);
            if (next == '\\') {
                out.write(json.text()[at++]);
            }
        } while (next != '"' && out.size() < MAX_BYTES);
    }

    private void open(byte bracket) {
        out.write(bracket);
        byte next = json.text()[at];
        if (next == '}' || next == ']') {
            out.write(next);
            at++;
        } else {
            depth++;
            line();
        }
    }

    private void line() {
        out.write('\n');
        for (int i = 0; i < depth; i++) {
            out.writeBytes(new byte[] {' ', ' '});
        }
    }
}
