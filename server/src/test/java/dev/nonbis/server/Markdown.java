package dev.nonbis.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the project, for tests that hold it against the program. */
record Markdown(Path file, String text) {

    static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

    /** A fenced block: the word behind the fence, and the lines. */
    record Block(String language, String text) {}

    static Markdown of(Path file) {
        try {
            return new Markdown(file, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every page: those at the top and all under {@code docs}. */
    static List<Markdown> all() {
        try (var top = Files.list(PROJECT);
                var docs = Files.walk(PROJECT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(Markdown::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Block> blocks() {
        var blocks = new ArrayList<Block>();
        BLOCK.matcher(text).results().forEach(found -> blocks.add(new Block(found.group(1), found.group(2))));
        return blocks;
    }

    String withoutBlocks() {
        return BLOCK.matcher(text).replaceAll("");
    }
}
