package dev.nonbis.testkit.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A NATS server with JetStream on a loopback port, whose messages stand in a directory that outlives it until it is wiped. */
public final class NatsServer implements AutoCloseable {

    private static final String PROGRAM = "nats-server";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path program;
    private final Path directory;
    private final int port;
    private final List<String> more;
    private Process process;

    private NatsServer(Path program, Path directory, int port, List<String> more) {
        this.program = program;
        this.directory = directory;
        this.port = port;
        this.more = more;
        this.process = launch();
    }

    /** Runs a server; skips the test where none is installed. */
    public static NatsServer start(Path directory) {
        return start(directory, List.of());
    }

    /** Runs a server with more arguments than a port and a directory. */
    public static NatsServer start(Path directory, List<String> more) {
        return new NatsServer(program(), directory, freePort(), more);
    }

    /** The program that tests start, or no test. */
    public static Path program() {
        return Services.NEWEST
                ? Installed.require("the newest nats-server, which ./verify installs,", Services.natsServer())
                : Installed.require(PROGRAM);
    }

    /** Runs a server outside a test. */
    public static NatsServer startWithoutSkipping(Path directory) {
        var program =
                Installed.find(PROGRAM).orElseThrow(() -> new IllegalStateException(PROGRAM + " is not installed"));
        return new NatsServer(program, directory, freePort(), List.of());
    }

    public String url() {
        return "nats://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    /** SIGKILL: nothing is flushed and nobody is told. */
    public void kill() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** On the same port, with what is in the directory. */
    public void restart() {
        kill();
        process = launch();
    }

    /** On the same port, with nothing. */
    public void restartEmpty() {
        kill();
        wipe();
        process = launch();
    }

    private void wipe() {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(directory)) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() {
        try {
            var line = new ArrayList<>(List.of(
                    program.toString(),
                    "-a",
                    "127.0.0.1",
                    "-p",
                    Integer.toString(port),
                    "-js",
                    "-sd",
                    directory.toString()));
            line.addAll(more);
            var started = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
            awaitListening(started);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitListening(Process started) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!listens()) {
            try {
                if (started.waitFor(20, TimeUnit.MILLISECONDS)) {
                    throw new IOException(PROGRAM + " ended with " + started.exitValue());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            if (System.nanoTime() - end > 0) {
                started.destroyForcibly();
                throw new IOException(PROGRAM + " does not listen after " + PATIENCE);
            }
        }
    }

    private boolean listens() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
            return socket.getInputStream().read() == 'I';
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
