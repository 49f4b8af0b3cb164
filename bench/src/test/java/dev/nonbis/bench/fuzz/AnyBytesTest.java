package dev.nonbis.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import dev.nonbis.bench.fuzz.Fuzzed.Reader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hands any bytes to whatever reads bytes. A longer campaign, for each reader by itself: {@code -Dfuzz.runs=10000000}. */
class AnyBytesTest {

    private static final Path SEEDS = Path.of("src/test/fuzz");
    private static final int CHANGED = 3_000;
    private static final int HANG_SECONDS = 10;
    private static final int USUAL_RUNS = 2_000;
    private static final @Nullable String RUNS = System.getProperty("fuzz.runs");

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
        if (RUNS == null) {
            fuzz(Optional.empty(), USUAL_RUNS);
        } else {
            fuzzEach(Long.parseLong(RUNS));
        }
    }

    /** Each reader in a process of its own with its share, as many at a time as there are processors, the slow ones first. */
    private void fuzzEach(long runs) throws Exception {
        var findings = new LinkedHashMap<Reader, Future<Duration>>();
        try (var threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            for (var reader : List.of(Reader.values()).reversed()) {
                findings.put(reader, threads.submit(() -> {
                    long started = System.nanoTime();
                    fuzz(Optional.of(reader), runs * reader.percent / 100);
                    return Duration.ofNanos(System.nanoTime() - started);
                }));
            }
        }
        for (var entry : findings.entrySet()) {
            long share = runs * entry.getKey().percent / 100;
            System.out.println(entry.getKey() + ": " + share + " executions in "
                    + entry.getValue().get().toSeconds() + " s");
        }
    }

    private void fuzz(Optional<Reader> reader, long runs) throws IOException, InterruptedException {
        var corpus =
                Files.createDirectory(directory.resolve(reader.map(Reader::name).orElse("all")));
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx700m"));
        reader.ifPresent(only -> command.add("-D" + Reader.PROPERTY + "=" + only));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Jazzer.class.getName(),
                "--target_class=" + Fuzzed.class.getName(),
                "--instrumentation_includes=dev.nonbis.**",
                // Hooks only in our own classes: within libraries they report what a library does on purpose.
                "--custom_hook_includes=dev.nonbis.**",
                "--reproducer_path=" + corpus,
                corpus.toString(),
                SEEDS.toString(),
                "-runs=" + runs,
                "-seed=1",
                // Nothing here may take longer for any bytes, so that a hang is a finding too.
                "-timeout=" + HANG_SECONDS,
                "-artifact_prefix=" + corpus + "/"));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("Done " + runs);
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
