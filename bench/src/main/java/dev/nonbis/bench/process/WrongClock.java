package dev.nonbis.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * Lets a process live by a clock that is wrong by so much, for good. A small library of our own stands between the process and the system:
 * libfaketime, which can also let a clock jump, makes a virtual machine several times slower.
 */
public final class WrongClock implements AutoCloseable {

    private final Path library;

    private WrongClock(Path library) {
        this.library = library;
    }

    public static boolean isAvailable() {
        return Preloaded.isAvailable();
    }

    public static WrongClock make() throws IOException, InterruptedException {
        return new WrongClock(Preloaded.build("clock", Files.createTempDirectory("nonbis-clock-")));
    }

    /** The environment of a process whose clock is wrong by this much. */
    public Map<String, String> offBy(Duration offset) {
        return Map.of("LD_PRELOAD", library.toString(), "WRONG_CLOCK_MS", Long.toString(offset.toMillis()));
    }

    @Override
    public void close() throws IOException {
        Files.delete(library);
        Files.delete(Objects.requireNonNull(library.getParent()));
    }
}
