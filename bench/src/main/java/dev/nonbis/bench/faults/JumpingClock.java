package dev.nonbis.bench.faults;

import dev.nonbis.bench.http.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A clock that jumps by hours, forward and back, under the running server. The last jump goes further ahead than any before: what is due by
 * a clock that was ahead stays due then, and waits until the clock is there again.
 */
final class JumpingClock implements Fault {

    private static final Duration FELT_WITHIN = Duration.ofSeconds(20);
    private static final Duration FURTHEST = Duration.ofHours(3);

    private final Scratch data = Scratch.make();
    private final Scratch home = Scratch.make();
    private final Path library;

    JumpingClock() throws IOException {
        library = library().orElseThrow(() -> new IOException("libfaketime is not installed (package faketime)"));
        set(Duration.ZERO);
    }

    /** Where libfaketime is, if it is installed. */
    static Optional<Path> library() {
        return Stream.of("/usr/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")
                .map(where -> Path.of(where, "faketime", "libfaketimeMT.so.1"))
                .filter(Files::isRegularFile)
                .findFirst();
    }

    @Override
    public Path data() {
        return data.path();
    }

    @Override
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                home.path().resolve("offset").toString(),
                "FAKETIME_CACHE_DURATION",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "NO_FAKE_STAT",
                "1");
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        var jumps =
                List.of(Duration.ofHours(2), Duration.ofMinutes(-150), Duration.ofMinutes(30), Duration.ofHours(-2));
        for (var offset : jumps) {
            jump(scene, offset);
        }
        jump(scene, FURTHEST);
    }

    private void jump(Scene scene, Duration offset) throws IOException, InterruptedException {
        set(offset);
        long end = System.nanoTime() + FELT_WITHIN.toNanos();
        while (System.nanoTime() - end < 0) {
            var head = scene.ground().ask(Load.TENANTS.getFirst(), Call.get("/api/v1/audit/head"));
            var ahead = Duration.between(
                    Instant.now(), Instant.parse(head.path("ts").asString()));
            if (ahead.minus(offset).abs().compareTo(Duration.ofMinutes(1)) < 0) {
                Thread.sleep(scene.random().nextInt(500, 1_500));
                return;
            }
            Thread.sleep(50);
        }
        scene.recorder().brokeDown("no event was written by the clock that is off by " + offset);
    }

    private void set(Duration offset) throws IOException {
        var next = home.path().resolve("next");
        Files.writeString(next, "%+d\n".formatted(offset.toSeconds()));
        Files.move(
                next,
                home.path().resolve("offset"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        home.close();
        data.close();
    }
}
