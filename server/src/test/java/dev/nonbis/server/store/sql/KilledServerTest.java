package dev.nonbis.server.store.sql;

import static dev.nonbis.testkit.store.ContractTables.AUDIT;
import static dev.nonbis.testkit.store.ContractTables.JOBS;
import static dev.nonbis.testkit.store.ContractTables.KEYS;
import static dev.nonbis.testkit.store.ContractTables.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Write;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server had acknowledged when it was killed is there; what it had not is there whole or not at all. */
final class KilledServerTest {

    private static final int ROUNDS = 3;
    private static final int ACKNOWLEDGED_BEFORE_KILL = 40;
    private static final int ROWS = 20;

    @TempDir
    Path directory;

    @Test
    void what_was_acknowledged_survives_a_kill() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            int acknowledged = writeUntilKilled(round);

            try (var backend = SqliteStore.open(directory.resolve("nonbis.db"), Throwable::printStackTrace)) {
                for (int batch = 0; batch < acknowledged; batch++) {
                    assertThat(backend.fetch(rows(round, batch))).hasSize(3 * ROWS);
                }
                assertThat(backend.fetch(rows(round, acknowledged)).size()).isIn(0, 3 * ROWS);
            }
        }
    }

    private int writeUntilKilled(int round) throws IOException {
        var child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        directory.resolve("nonbis.db").toString(),
                        Integer.toString(round))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int acknowledged = 0;
        try (var lines = child.inputReader()) {
            while (lines.readLine() != null) {
                if (++acknowledged == ACKNOWLEDGED_BEFORE_KILL) {
                    // Through the handle, which leaves the pipe open: what was acknowledged until the kill counts.
                    child.toHandle().destroyForcibly();
                }
            }
        } finally {
            child.destroyForcibly().onExit().join();
        }
        assertThat(acknowledged).isGreaterThanOrEqualTo(ACKNOWLEDGED_BEFORE_KILL);
        return acknowledged;
    }

    private static List<RowRef<?, ?>> rows(int round, int batch) {
        return writes(round, batch).stream().<RowRef<?, ?>>map(Write::row).toList();
    }

    private static List<Write> writes(int round, int batch) {
        var writes = new ArrayList<Write>();
        for (int i = 0; i < ROWS; i++) {
            var key = "%d/%05d/%02d".formatted(round, batch, i);
            writes.add(insert(KEYS, key, "|"));
            writes.add(insert(JOBS, key, "state:A label:x|" + "j".repeat(400)));
            writes.add(insert(AUDIT, key, "|" + "a".repeat(500)));
        }
        return writes;
    }

    /** The server that is killed: says a line for each batch that it would acknowledge. */
    static final class Writer {

        public static void main(String[] args) {
            var backend = SqliteStore.open(Path.of(args[0]), Throwable::printStackTrace);
            for (int batch = 0; ; batch++) {
                backend.apply(writes(Integer.parseInt(args[1]), batch));
                System.out.println(batch);
            }
        }
    }
}
