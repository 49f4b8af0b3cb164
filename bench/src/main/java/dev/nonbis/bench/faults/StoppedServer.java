package dev.nonbis.bench.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** SIGSTOP: the server stands still for longer than any lease, with its connections open, and goes on as if nothing had been. */
final class StoppedServer implements Fault {

    private static final long STOPPED_MS = 4_000;
    // Somebody asks within this time after the server was stopped.
    private static final long SOONER_MS = 1_000;

    private final Scratch data = Scratch.make();

    StoppedServer() throws IOException {}

    @Override
    public Path data() {
        return data.path();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        var server = scene.ground().server();
        server.pause();
        try {
            Thread.sleep(STOPPED_MS);
        } finally {
            server.goOn();
        }
    }

    @Override
    public void wasFelt(Scene scene) {
        if (scene.recorder().acknowledgedLaterThan(Duration.ofMillis(STOPPED_MS - SOONER_MS)) == 0) {
            scene.recorder().brokeDown("nobody waited for the server while it stood still");
        }
    }

    @Override
    public void close() throws IOException {
        data.close();
    }
}
