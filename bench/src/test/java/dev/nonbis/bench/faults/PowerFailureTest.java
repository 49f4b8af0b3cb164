package dev.nonbis.bench.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.faults.DiskLog.Created;
import dev.nonbis.bench.faults.DiskLog.Flushed;
import dev.nonbis.bench.faults.DiskLog.NamesFlushed;
import dev.nonbis.bench.faults.DiskLog.Told;
import dev.nonbis.bench.faults.DiskLog.Truncated;
import dev.nonbis.bench.faults.DiskLog.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PowerFailureTest {

    private static final String GONE = "no file";
    private static final int SEEDS = 60;

    @TempDir
    Path directory;

    @Test
    void what_was_flushed_is_there_whatever_else_is_lost() throws IOException {
        var log = List.<Told>of(
                new Created(0, "f"), written(1, 0, "safe"), new Flushed(2, "f", 2), new NamesFlushed(3, "", 3));

        assertThat(outcomes(log)).containsExactly("safe");
    }

    @Test
    void what_was_not_flushed_may_be_there_or_not_in_any_order() throws IOException {
        var log = List.<Told>of(
                new Created(0, "f"),
                new NamesFlushed(1, "", 1),
                written(2, 0, "aa"),
                written(3, 2, "bb"),
                new Truncated(4, "f", 3));

        assertThat(outcomes(log)).contains("", "aa", "aab", "aabb", "\0\0bb");
    }

    @Test
    void a_flush_covers_only_what_was_written_before_it_began() throws IOException {
        var log = List.<Told>of(
                new Created(0, "f"),
                new NamesFlushed(1, "", 1),
                written(2, 0, "old"),
                written(4, 0, "new"),
                new Flushed(5, "f", 3));

        assertThat(outcomes(log)).containsExactlyInAnyOrder("old", "new");
    }

    @Test
    void a_name_may_be_lost_until_its_own_directory_is_flushed() throws IOException {
        var log = List.<Told>of(
                new Created(0, "f"), written(1, 0, "safe"), new Flushed(2, "f", 2), new NamesFlushed(3, "other", 3));

        assertThat(outcomes(log)).containsExactlyInAnyOrder("safe", GONE);
    }

    @Test
    void a_write_may_be_torn_between_sectors() throws IOException {
        var log = List.<Told>of(
                new Created(0, "f"), new NamesFlushed(1, "", 1), written(2, 0, "x".repeat(512) + "y".repeat(512)));

        assertThat(outcomes(log)).contains("\0".repeat(512) + "y".repeat(512), "x".repeat(512));
    }

    private Set<String> outcomes(List<Told> log) throws IOException {
        var outcomes = new HashSet<String>();
        for (int seed = 0; seed < SEEDS; seed++) {
            var image = Files.createDirectory(directory.resolve("image-" + seed));
            PowerFailure.strike(log, seed, image);
            var file = image.resolve("f");
            outcomes.add(Files.exists(file) ? Files.readString(file, US_ASCII) : GONE);
        }
        return outcomes;
    }

    private static Written written(long at, long offset, String text) {
        return new Written(at, "f", offset, text.getBytes(US_ASCII));
    }
}
