package dev.nonbis.bench.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A disk on which every flush takes long. Everything takes long then, and nothing else may happen. */
final class SlowFlush implements Fault {

    private static final long SLOW_MS = 4_000;

    private final Scratch data = Scratch.make();
    private final Disk disk = Disk.make();

    SlowFlush() throws IOException, InterruptedException {}

    @Override
    public Path data() {
        return data.path();
    }

    @Override
    public Map<String, String> environment() {
        return disk.under(data.path());
    }

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

    @Override
    public void close() throws IOException {
        disk.close();
        data.close();
    }
}
