package dev.nonbis.bench.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Connections that are cut when the server has heard a request and its client has not heard the answer, several in a row. */
final class CutConnections implements Fault {

    private static final int IN_A_ROW = 10;
    private static final long CUT_WITHIN_SECONDS = 10;

    private final Scratch data = Scratch.make();

    CutConnections() throws IOException {}

    @Override
    public Path data() {
        return data.path();
    }

    @Override
    public void strike(Scene scene) throws InterruptedException {
        for (int i = 0; i < IN_A_ROW; i++) {
            if (!scene.ground().front().cutAtNext("POST ").await(CUT_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                scene.recorder().brokeDown("no request passed for " + CUT_WITHIN_SECONDS + " s");
            }
        }
    }

    @Override
    public void close() throws IOException {
        data.close();
    }
}
