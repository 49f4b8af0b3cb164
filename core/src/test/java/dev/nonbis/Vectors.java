package dev.nonbis;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Test data of others, which lies beside the project and not in it. */
public final class Vectors {

    private Vectors() {}

    /** A file or directory under {@code shared/vectors}; ends the test as skipped when there is none, as failed on CI. */
    public static Path at(String name) {
        for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
            Path found = up.resolve("shared/vectors").resolve(name);
            if (Files.exists(found)) {
                return found;
            }
        }
        String reason = "there is no shared/vectors/" + name + " in any directory above this one";
        return "true".equals(System.getenv("CI")) ? fail(reason) : abort(reason);
    }

    public static byte[] bytes(String name) {
        try {
            return Files.readAllBytes(at(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
