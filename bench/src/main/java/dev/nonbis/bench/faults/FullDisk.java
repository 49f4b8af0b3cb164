package dev.nonbis.bench.faults;

import dev.nonbis.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * A small disk that something else fills up. With the right to mount it is a file system of its own that is really full; without, a disk
 * that says so. The server has to refuse what needs room, stay up, and go on when there is room again.
 */
final class FullDisk implements Fault {

    private static final long FULL_MS = 2_500;
    private static final String SIZE = "48m";

    private final Scratch data = Scratch.make();
    private final Disk disk;
    private final boolean isMounted;

    FullDisk() throws IOException, InterruptedException {
        disk = Disk.make();
        isMounted = mount(data.path());
    }

    private static boolean mount(Path where) throws InterruptedException {
        try {
            Tool.run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", where.toString());
            return true;
        } catch (IOException e) {
            // Not allowed here, which is what the other way is for.
            return false;
        }
    }

    @Override
    public Path data() {
        return data.path();
    }

    @Override
    public Map<String, String> environment() {
        return isMounted ? Map.of() : disk.under(data.path());
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        var ballast = data.path().resolve("ballast");
        disk.full(true);
        if (isMounted) {
            fill(ballast);
        }
        Thread.sleep(FULL_MS);
        disk.full(false);
        Files.deleteIfExists(ballast);
        if (!scene.ground().server().alive()) {
            scene.recorder()
                    .brokeDown("it ended on a full disk: "
                            + scene.ground().server().lastWords());
            scene.ground().start();
        }
    }

    private static void fill(Path ballast) throws IOException {
        try (var out = Files.newByteChannel(ballast, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var block = new byte[4_096];
            while (true) {
                out.write(java.nio.ByteBuffer.wrap(block));
            }
        } catch (IOException e) {
            // Full, as it should be.
            if (Files.size(ballast) == 0) {
                throw e;
            }
        }
    }

    @Override
    public void wasFelt(Scene scene) {
        if (scene.recorder().answers("storage_full") == 0) {
            scene.recorder().brokeDown("nobody was told that the disk is full");
        }
    }

    @Override
    public void close() throws IOException {
        disk.close();
        if (isMounted) {
            try {
                Tool.run("umount", data.path().toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        data.close();
    }
}
