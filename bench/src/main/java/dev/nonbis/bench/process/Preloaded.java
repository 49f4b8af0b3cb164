package dev.nonbis.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small C library from this jar that stands between a process and the system, built on the spot. */
public final class Preloaded {

    private Preloaded() {}

    /** Whether this machine can build one: it takes Linux and a C compiler. */
    public static boolean isAvailable() {
        return System.getProperty("os.name").equals("Linux") && Tool.find("cc").isPresent();
    }

    /** Builds the source that stands in the jar under this name, in this directory, and returns the library. */
    public static Path build(String name, Path directory) throws IOException, InterruptedException {
        var source = directory.resolve(name + ".c");
        var library = directory.resolve(name + ".so");
        try (var text = Preloaded.class.getResourceAsStream("/preloaded/" + name + ".c")) {
            if (text == null) {
                throw new IllegalStateException(name + ".c is not in the jar");
            }
            Files.copy(text, source);
        }
        Tool.run("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl", "-lpthread");
        Files.delete(source);
        return library;
    }
}
