package dev.nonbis.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Lets a process live by a clock that is wrong by so much, for good. A small library of our own stands between the process and the system:
 * libfaketime, which can also let a clock jump, makes a virtual machine several times slower.
 */
public final class WrongClock implements AutoCloseable {

    private final Path home;

    private WrongClock(Path home) {
        this.home = home;
    }

    /** Whether this machine can make one: it takes Linux and a C compiler. */
    public static boolean isAvailable() {
        return System.getProperty("os.name").equals("Linux") && Tool.find("cc").isPresent();
    }

    public static WrongClock make() throws IOException, InterruptedException {
        var clock = new WrongClock(Files.createTempDirectory("nonbis-clock-"));
        try (var text = WrongClock.class.getResourceAsStream("/process/clock.c")) {
            if (text == null) {
                throw new IllegalStateException("clock.c is not in the jar");
            }
            Files.copy(text, clock.source());
        }
        Tool.run(
                "cc",
                "-O2",
                "-shared",
                "-fPIC",
                "-o",
                clock.library().toString(),
                clock.source().toString(),
                "-ldl");
        return clock;
    }

    /** The environment of a process whose clock is wrong by this much. */
    public Map<String, String> offBy(Duration offset) {
        return Map.of("LD_PRELOAD", library().toString(), "WRONG_CLOCK_MS", Long.toString(offset.toMillis()));
    }

    private Path source() {
        return home.resolve("clock.c");
    }

    private Path library() {
        return home.resolve("clock.so");
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(source());
        Files.deleteIfExists(library());
        Files.delete(home);
    }
}
