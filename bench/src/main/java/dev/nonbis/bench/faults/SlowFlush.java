package dev.nonbis.bench.faults;

import java.io.IOException;
import java.time.Duration;

/** A disk on which every flush takes long. Everything takes long then, and nothing else may happen. */
final class SlowFlush extends DiskFault {

    private static final long SLOW_MS = 4_000;

    private Duration slowest = Duration.ZERO;

    SlowFlush() throws IOException, InterruptedException {}

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        var longer = Duration.ofMillis(scene.random().nextInt(600, 2_500));
        slowest = longer.compareTo(slowest) > 0 ? longer : slowest;
        disk.flushesTake(longer);
        Thread.sleep(SLOW_MS);
        disk.flushesTake(Duration.ZERO);
        if (!scene.ground().server().alive()) {
            scene.recorder()
                    .brokeDown("it ended on a slow disk: "
                            + scene.ground().server().lastWords());
            scene.ground().start();
        }
    }

    @Override
    public void wasFelt(Scene scene) {
        if (scene.recorder().acknowledgedLaterThan(slowest) == 0) {
            scene.recorder().brokeDown("nothing took as long as a flush of " + slowest);
        }
    }
}
