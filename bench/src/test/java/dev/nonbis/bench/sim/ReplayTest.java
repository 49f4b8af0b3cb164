package dev.nonbis.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Maps of constants have another order in every process, which no test within one process can see. */
class ReplayTest {

    private static final long SEED = 8;
    private static final double HOURS = 0.5;

    @Test
    void a_seed_decides_every_step_in_every_process() throws IOException, InterruptedException {
        var others = IntStream.range(0, 2).mapToObj(i -> started()).toList();
        var here = new ArrayList<String>();
        new Campaign(Variation.USUAL, Duration.ofSeconds(Math.round(HOURS * 3600))).replay(SEED, here::add);

        assertThat(here)
                .as("the history has answers whose members could come in another order")
                .anyMatch(line -> line.contains("\"approval_granted\"") && line.contains("\"mark\""));
        for (var other : others) {
            assertThat(told(other)).isEqualTo(here);
        }
    }

    private static Process started() {
        try {
            return new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "sim",
                            "--hours",
                            Double.toString(HOURS),
                            "--seed",
                            Long.toString(SEED),
                            "--trace")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new AssertionError("a second process cannot be started", e);
        }
    }

    // The last line is the verdict, which the command adds.
    private static List<String> told(Process other) throws IOException, InterruptedException {
        var lines = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(other.waitFor()).as(String.join("\n", lines)).isZero();
        return lines.subList(0, lines.size() - 1);
    }
}
