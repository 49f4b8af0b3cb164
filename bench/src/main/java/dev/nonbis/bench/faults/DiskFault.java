package dev.nonbis.bench.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A fault of a disk that obeys us, under a directory of its own. */
abstract class DiskFault implements Fault {

    final Disk disk = Disk.make();
    private final Scratch data = Scratch.make();

    DiskFault() throws IOException, InterruptedException {}

    @Override
    public final Path data() {
        return data.path();
    }

    @Override
    public final Map<String, String> environment() {
        return disk.under(data.path());
    }

    @Override
    public final void close() throws IOException {
        disk.close();
        data.close();
    }
}
