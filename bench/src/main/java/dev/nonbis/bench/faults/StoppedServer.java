package dev.nonbis.bench.faults;

import java.io.IOException;
import java.nio.file.Path;

/** SIGSTOP: the server stands still for longer than any lease, with its connections open, and goes on as if nothing had been. */
final class StoppedServer implements Fault {

    private static final long STOPPED_MS = 4_000;

    private final Scratch data = Scratch.make();

    StoppedServer() throws IOException {}

    @Override
    public Path data() {
        return data.path();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        scene.ground().signal("STOP");
        try {
            Thread.sleep(STOPPED_MS);
        } finally {
            scene.ground().signal("CONT");
        }
    }

    @Override
    public void close() throws IOException {
        data.close();
    }
}
