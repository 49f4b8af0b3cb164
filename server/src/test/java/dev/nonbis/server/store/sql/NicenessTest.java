package dev.nonbis.server.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.store.GroupCommit;
import dev.nonbis.core.store.Range;
import dev.nonbis.testkit.store.ContractTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class NicenessTest {

    private static final String LINUX_ONLY = "elsewhere a thread cannot give way by itself";

    @TempDir
    Path directory;

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = LINUX_ONLY)
    void of_a_store_only_the_thread_that_nobody_waits_for_gives_way() throws Exception {
        try (var store = store();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<?>>();
            for (int i = 0; i < 200; i++) {
                var key = "k-" + i;
                answers.add(callers.submit(() -> {
                    store.transact(List.of(), tx -> {
                        tx.insert(ContractTables.KEYS, key, "|");
                        return key;
                    });
                    return store.read(tx -> tx.scan(Range.keysStartingWith(ContractTables.KEYS, key)));
                }));
            }
            for (var answer : answers) {
                answer.get();
            }

            assertThat(givingWay()).containsExactly("nonbis-checkpoint");
        }
    }

    private GroupCommit store() {
        return new GroupCommit(
                SqliteStore.open(directory.resolve("nonbis.db"), why -> {}),
                new GroupCommit.Settings(64, 4096, Set.of(), (operations, nanos) -> {}, System::nanoTime));
    }

    // The system keeps fifteen characters of a name.
    private static List<String> givingWay() throws IOException {
        try (var threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.filter(thread -> niceness(thread) >= Niceness.BACKGROUND)
                    .map(NicenessTest::name)
                    .map(name -> name.equals("nonbis-checkpoi") ? "nonbis-checkpoint" : name)
                    .toList();
        }
    }

    private static String name(Path thread) {
        return read(thread.resolve("comm")).strip();
    }

    // The nineteenth number; the second is a name, which may have anything in it.
    private static int niceness(Path thread) {
        var stat = read(thread.resolve("stat"));
        return stat.isEmpty()
                ? 0
                : Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            if (!Files.exists(file)) {
                // The thread has ended meanwhile.
                return "";
            }
            throw new UncheckedIOException(e);
        }
    }
}
