package dev.nonbis.bench.process;

import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** A running server that can be killed without warning. */
public final class ServerProcess implements AutoCloseable {

    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    private static final long POLL_MS = 20;

    private final Process process;
    private final ServerDirectory directory;

    private ServerProcess(Process process, ServerDirectory directory) {
        this.process = process;
        this.directory = directory;
    }

    /** Starts the server and returns once it says that it is ready. */
    public static ServerProcess start(ServerCommand command, ServerDirectory directory)
            throws IOException, InterruptedException {
        if (!command.available()) {
            throw new IOException("no server at " + command.jar() + ": build it with mvn package -Dquick");
        }
        var builder = new ProcessBuilder(command.line(directory.config()))
                .directory(directory.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(directory.log().toFile()));
        builder.environment().putAll(command.environment());
        var server = new ServerProcess(builder.start(), directory);
        try {
            server.awaitReady();
        } catch (IOException | InterruptedException e) {
            server.kill();
            throw e;
        }
        return server;
    }

    /** Returns once it says that it is ready, which it may have ceased to be. */
    public void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (!ready()) {
            if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
                throw new IOException("the server ended with " + process.exitValue() + " before it was ready:\n"
                        + directory.lastWords());
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(
                        "the server was not ready within " + READY_WITHIN + ":\n" + directory.lastWords());
            }
        }
    }

    private boolean ready() {
        try {
            return HttpConnection.once(directory.ports().apiAddress(), Call.get("/readyz"))
                            .status()
                    == 200;
        } catch (IOException e) {
            // Not listening yet: the caller asks again until its deadline.
            return false;
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Its exit code once it has ended by itself; empty when it does not end within this time. */
    public OptionalInt awaitEnd(Duration within) throws InterruptedException {
        return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalInt.of(process.exitValue())
                : OptionalInt.empty();
    }

    public String lastWords() {
        return directory.lastWords();
    }

    /** SIGSTOP: it stands still with its connections open, until it goes on as if nothing had been. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    public void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        var sent = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
        if (!sent.waitFor(10, TimeUnit.SECONDS) || sent.exitValue() != 0) {
            throw new IOException("SIG" + name + " could not be sent to " + pid());
        }
    }

    /** SIGKILL: no shutdown hook runs and nothing is flushed. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM, and SIGKILL for a server that does not end by itself. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
