package dev.nonbis.bench.faults;

import dev.nonbis.bench.process.Preloaded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A disk under one directory that fails on demand and can write down all it is told. It is a library put between a process and the system. */
public final class Disk implements AutoCloseable {

    private static final int FLUSH = 0;
    private static final int DELAY_MS = 1;
    private static final int FULL = 2;
    private static final int REFUSED = 3;

    private final Path home;
    private final Path library;
    private final FileChannel control;

    /** What a flush does. */
    enum Flush {
        WORKS(0),
        FAILS(1),
        /** Claims to work and does nothing. */
        LIES(2);

        private final int code;

        Flush(int code) {
            this.code = code;
        }
    }

    private Disk(Path home, Path library, FileChannel control) {
        this.home = home;
        this.library = library;
        this.control = control;
    }

    public static boolean isAvailable() {
        return Preloaded.isAvailable();
    }

    /** Keeps its own files apart from those that it watches. */
    public static Disk make() throws IOException, InterruptedException {
        var home = Files.createTempDirectory("nonbis-disk-");
        var library = Preloaded.build("disk", home);
        var file = home.resolve("control");
        Files.write(file, new byte[4 * Integer.BYTES]);
        return new Disk(home, library, FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** What a process needs in its environment for its files below this directory to be on this disk. */
    Map<String, String> under(Path directory) {
        var environment = new LinkedHashMap<String, String>();
        environment.put("LD_PRELOAD", library.toString());
        environment.put("FAULTY_DISK_ROOT", directory.toString());
        environment.put("FAULTY_DISK_CONTROL", home.resolve("control").toString());
        return environment;
    }

    /** The same for a disk that writes down all it is told. */
    Map<String, String> loggedUnder(Path directory) {
        var environment = under(directory);
        environment.put("FAULTY_DISK_LOG", log().toString());
        return environment;
    }

    Path log() {
        return home.resolve("log");
    }

    /** How much is written down by now. */
    long loggedBytes() {
        try {
            return Files.exists(log()) ? Files.size(log()) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void flush(Flush flush) throws IOException {
        set(FLUSH, flush.code);
    }

    void flushesTake(Duration longer) throws IOException {
        set(DELAY_MS, Math.toIntExact(longer.toMillis()));
    }

    void full(boolean full) throws IOException {
        set(FULL, full ? 1 : 0);
    }

    /** How many flushes failed or lied. */
    int refused() throws IOException {
        var bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        control.read(bytes, (long) REFUSED * Integer.BYTES);
        return bytes.getInt(0);
    }

    private void set(int place, int value) throws IOException {
        var bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        control.write(bytes.putInt(0, value), (long) place * Integer.BYTES);
    }

    @Override
    public void close() throws IOException {
        control.close();
        try (var files = Files.list(home)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(home);
    }
}
