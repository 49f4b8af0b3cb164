package dev.nonbis.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hands any bytes to whatever reads bytes. A longer campaign: {@code -Dfuzz.runs=10000000}. */
class AnyBytesTest {

    private static final Path SEEDS = Path.of("src/test/fuzz");
    private static final int CHANGED = 3_000;
    private static final String RUNS = System.getProperty("fuzz.runs", "2000");

    @TempDir
    Path directory;

    @Test
    void examples_changed_by_chance_break_no_reader() throws IOException {
        var chance = new SplittableRandom(1);
        for (var example : examples()) {
            Fuzzed.fuzzerTestOneInput(example);
            for (int i = 0; i < CHANGED / examples().size(); i++) {
                Fuzzed.fuzzerTestOneInput(changed(example, chance));
            }
        }
    }

    @Test
    void a_fuzzer_that_sees_the_code_finds_no_bytes_that_break_a_reader() throws Exception {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx700m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Jazzer.class.getName(),
                        "--target_class=" + Fuzzed.class.getName(),
                        "--instrumentation_includes=dev.nonbis.**",
                        "--custom_hook_excludes=**",
                        "--reproducer_path=" + directory,
                        directory.toString(),
                        SEEDS.toString(),
                        "-runs=" + RUNS,
                        "-seed=1",
                        "-artifact_prefix=" + directory + "/")
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("Done " + RUNS);
    }

    private static List<byte[]> examples() throws IOException {
        var examples = new ArrayList<byte[]>();
        try (var files = Files.list(SEEDS)) {
            for (var file : files.sorted().toList()) {
                examples.add(Files.readAllBytes(file));
            }
        }
        return examples;
    }

    private static byte[] changed(byte[] example, SplittableRandom chance) {
        var bytes = example.clone();
        for (int i = 1 + chance.nextInt(3); i > 0; i--) {
            // The first byte chooses the reader and stays.
            bytes[1 + chance.nextInt(bytes.length - 1)] = (byte) chance.nextInt(256);
        }
        return bytes;
    }
}
