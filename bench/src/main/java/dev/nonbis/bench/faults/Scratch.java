package dev.nonbis.bench.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A directory that is gone when it is closed. */
record Scratch(Path path) implements AutoCloseable {

    static Scratch make() throws IOException {
        return new Scratch(Files.createTempDirectory("nonbis-data-"));
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.walk(path)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
