package dev.nonbis.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A page of the reference, for tests that compare it with the program. */
public record ReferencePage(String text) {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    public static ReferencePage named(String name) {
        try {
            return new ReferencePage(Files.readString(Path.of("..", "docs", "reference", name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The code in the first column of each table row. */
    public List<String> rowsThatStartWith(String prefix) {
        return ROW.matcher(text)
                .results()
                .map(row -> row.group(1))
                .filter(code -> code.startsWith(prefix))
                .toList();
    }
}
