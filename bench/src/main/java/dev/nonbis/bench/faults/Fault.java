package dev.nonbis.bench.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;

/** One kind of fault, which strikes a server under load again and again. When a strike returns, all is well again. */
interface Fault extends AutoCloseable {

    /** Where the server keeps its data. */
    Path data();

    /** What has to stand between the server and the system. */
    default Map<String, String> environment() {
        return Map.of();
    }

    /** Strikes once. What the server must not have done meanwhile is told to the recorder. */
    void strike(Scene scene) throws IOException, InterruptedException;

    /** When the last strike is over: whatever must have been seen for the fault to have counted for something. */
    default void wasFelt(Scene scene) throws IOException {}

    @Override
    void close() throws IOException;

    /** Where it happens, who writes it down, and chance. */
    record Scene(Ground ground, Recorder recorder, SplittableRandom random) {}
}
