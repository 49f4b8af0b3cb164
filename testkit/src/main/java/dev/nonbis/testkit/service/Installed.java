package dev.nonbis.testkit.service;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Finds programs that a suite needs. One that is absent skips the suite with a reason, or fails it where {@code CI=true}. */
public final class Installed {

    private Installed() {}

    public static Optional<Path> find(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(
                        Arrays.stream(path.split(File.pathSeparator, -1)), Stream.of("/usr/sbin", "/usr/local/bin"))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The program, or no test. */
    public static Path require(String program) {
        return require(program, find(program));
    }

    /** What was found, or no test. */
    public static Path require(String program, Optional<Path> found) {
        if (found.isEmpty() && "true".equals(System.getenv("CI"))) {
            Assertions.fail(program + " is not installed, and CI needs every service");
        }
        Assumptions.assumeTrue(found.isPresent(), program + " is not installed");
        return found.orElseThrow();
    }
}
