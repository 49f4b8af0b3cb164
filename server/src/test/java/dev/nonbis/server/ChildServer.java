package dev.nonbis.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** A server in a process of its own, which can be killed. */
final class ChildServer implements AutoCloseable {

    /** The heap that the launcher gives, and the end of the process when it does not suffice. */
    static final List<String> LAUNCHER_HEAP = List.of(
            "-Xmx208m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseParallelGC",
            "-XX:-UseAdaptiveSizePolicy",
            "-Xmn104m",
            "-XX:SurvivorRatio=3",
            "-XX:+UseCompactObjectHeaders");

    private final Process process;
    private final URI url;

    ChildServer(Path directory, List<String> flags) throws IOException {
        var line = Stream.of(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1"),
                        flags.stream(),
                        Stream.of(
                                "-cp",
                                System.getProperty("java.class.path"),
                                Serving.class.getName(),
                                directory.toString()))
                .flatMap(words -> words)
                .toList();
        process = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        url = URI.create(Objects.requireNonNull(process.inputReader().readLine(), "the child did not start"));
    }

    URI url() {
        return url;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    /** The process itself. */
    static final class Serving {

        public static void main(String[] args) throws InterruptedException {
            var server = new RealServer(Path.of(args[0]));
            System.out.println(server.url());
            new CountDownLatch(1).await();
        }
    }
}
