package dev.nonbis.server.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Everything a command touches of the process it runs in. */
public record Terminal(
        Streams streams, Map<String, String> environment, Path directory, Pause pause, InstantSource clock) {

    /**
     * Data goes to {@code out}, talk to {@code err}.
     *
     * @param onScreen whether a person reads {@code out}, and not a file or another program
     */
    public record Streams(InputStream in, PrintStream out, PrintStream err, boolean onScreen) {

        public Streams(InputStream in, PrintStream out, PrintStream err) {
            this(in, out, err, false);
        }
    }

    /** Lets time pass. */
    @FunctionalInterface
    public interface Pause {
        void of(Duration wait) throws InterruptedException;
    }

    /** The process's own. */
    public static Terminal ofProcess() {
        return new Terminal(
                new Streams(
                        System.in,
                        utf8(FileDescriptor.out),
                        utf8(FileDescriptor.err),
                        Optional.ofNullable(System.console())
                                .filter(Console::isTerminal)
                                .isPresent()),
                System.getenv(),
                Path.of(""),
                Thread::sleep,
                InstantSource.system());
    }

    PrintStream out() {
        return streams.out();
    }

    PrintStream err() {
        return streams.err();
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
