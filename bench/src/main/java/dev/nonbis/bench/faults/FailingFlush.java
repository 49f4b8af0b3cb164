package dev.nonbis.bench.faults;

import dev.nonbis.bench.faults.Disk.Flush;
import java.io.IOException;
import java.time.Duration;

/** A flush that fails. Nobody knows then what is on the disk, so the server has to end, with the exit code that says so. */
final class FailingFlush extends DiskFault {

    private static final Duration ENDS_WITHIN = Duration.ofSeconds(20);
    private static final int FAILED_STORE = 70;

    FailingFlush() throws IOException, InterruptedException {}

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        disk.flush(Flush.FAILS);
        var server = scene.ground().server();
        var ended = server.awaitEnd(ENDS_WITHIN);
        disk.flush(Flush.WORKS);
        if (ended.isEmpty() || ended.getAsInt() != FAILED_STORE) {
            scene.recorder()
                    .brokeDown("a flush failed and the server "
                            + (ended.isEmpty() ? "went on" : "ended with " + ended.getAsInt()) + ": "
                            + server.lastWords());
        }
        server.kill();
        scene.ground().start();
    }
}
