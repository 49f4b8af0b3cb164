package dev.nonbis.bench.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Programs of the system. */
public final class Tool {

    private Tool() {}

    public static Optional<Path> find(String program) {
        return Arrays.stream(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                .map(part -> Path.of(part, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs it to its end and returns what it printed. */
    public static String run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + said.strip());
        }
        return said;
    }
}
