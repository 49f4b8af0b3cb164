package dev.nonbis.bench.faults;

import java.io.IOException;
import java.time.Duration;

/** A disk on which every flush takes long. Everything takes long then, and nothing else may happen. */
final class SlowFlush extends DiskFault {

    private static final long SLOW_MS = 4_000;

    SlowFlush() throws IOException, InterruptedException {}

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        disk.flushesTake(Duration.ofMillis(scene.random().nextInt(200, 2_500)));
        Thread.sleep(SLOW_MS);
        disk.flushesTake(Duration.ZERO);
        if (!scene.ground().server().alive()) {
            scene.recorder()
                    .brokeDown("it ended on a slow disk: "
                            + scene.ground().server().lastWords());
            scene.ground().start();
        }
    }
}
