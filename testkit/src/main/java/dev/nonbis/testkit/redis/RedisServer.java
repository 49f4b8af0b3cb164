package dev.nonbis.testkit.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Redis of its own: one process in a temporary directory, on a free port of the loopback. It flushes every write, unless told otherwise. */
public final class RedisServer implements AutoCloseable {

    private static final List<String> CAREFUL = List.of("--appendonly", "yes", "--appendfsync", "always");
    private static final int TRIES = 600;
    private static final long PAUSE_NANOS = 50_000_000;

    private final Path program;
    private final Path directory;
    private final int port;
    private @Nullable Process process;

    private RedisServer(Path program, Path directory, int port) {
        this.program = program;
        this.directory = directory;
        this.port = port;
    }

    /** Where the program is; empty when Redis is not installed. */
    public static Optional<Path> program() {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                .map(part -> Path.of(part, "redis-server"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts one.
     *
     * @param options of the program, which win over ours
     */
    public static RedisServer start(String... options) throws IOException {
        var program = program().orElseThrow(() -> new IOException("Redis is not installed"));
        var server = new RedisServer(program, Files.createTempDirectory("nonbis-redis"), freePort());
        try {
            server.startAgain(options);
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    /** As a server's configuration names it. */
    public String url() {
        return "redis://" + host() + ":" + port + "/0";
    }

    /** Runs a command as an operator would, by hand. */
    public String command(String... words) throws IOException {
        return run("redis-cli", words);
    }

    /** Runs redis-benchmark with these options, and gives what it said. */
    public String benchmark(String... options) throws IOException {
        return run("redis-benchmark", options);
    }

    /** The bytes that it uses for all that it keeps. */
    public long usedMemory() throws IOException {
        return command("INFO", "memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring("used_memory:".length()).strip()))
                .findFirst()
                .orElseThrow();
    }

    private String run(String tool, String... words) throws IOException {
        var command = new ArrayList<>(List.of(program.resolveSibling(tool).toString(), "-p", Integer.toString(port)));
        command.addAll(List.of(words));
        var asked = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        await(asked);
        return said;
    }

    /** Starts the one that was stopped or killed, on its data, and returns once it takes commands. */
    public void startAgain(String... options) throws IOException {
        var command = new ArrayList<>(List.of(
                program.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                host(),
                "--dir",
                directory.toString(),
                "--save",
                ""));
        command.addAll(CAREFUL);
        command.addAll(List.of(options));
        var started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()))
                .start();
        process = started;
        for (int i = 0; i < TRIES; i++) {
            if (answers()) {
                return;
            }
            if (!started.isAlive()) {
                break;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IOException("Redis did not start: " + Files.readString(directory.resolve("log")));
    }

    /** Lets it write down what it has, and end. */
    public void stop() throws IOException {
        command("SHUTDOWN");
        if (process != null) {
            await(process);
        }
    }

    /** Kills it without warning. */
    public void kill() throws IOException {
        if (process != null) {
            process.destroyForcibly();
            await(process);
        }
    }

    @Override
    public void close() {
        try {
            kill();
            try (var files = Files.walk(directory)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean answers() {
        try (var socket = new Socket(host(), port)) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(5));
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            // While it loads its data it answers with an error.
            return socket.getInputStream().read() == '+';
        } catch (IOException e) {
            return false;
        }
    }

    private static void await(Process process) throws IOException {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("no end in 60 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
