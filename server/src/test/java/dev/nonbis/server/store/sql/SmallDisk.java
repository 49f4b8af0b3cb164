package dev.nonbis.server.store.sql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of few megabytes, where this process may mount one; otherwise the test is skipped. */
final class SmallDisk implements AutoCloseable {

    final Path path;

    private SmallDisk(Path path) {
        this.path = path;
    }

    static SmallDisk below(Path directory, int megabytes) throws IOException {
        var path = Files.createDirectory(directory.resolve("small"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", path.toString()) == 0,
                "cannot mount here");
        return new SmallDisk(path);
    }

    @Override
    public void close() throws IOException {
        run("umount", path.toString());
    }

    private static int run(String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .onExit()
                .join()
                .exitValue();
    }
}
