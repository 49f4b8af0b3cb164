package dev.nonbis.bench.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tlc2.TLC;

/** The design that is used holds in every state of its model; the designs that were given up do not, and the model shows why. */
class ModelsTest {

    private static final Path MODELS = Path.of("src/test/tla");
    private static final Pattern DESIGN = Pattern.compile("Design = \"[^\"]*\"");
    private static final Pattern GENERATED = Pattern.compile("(?m)^([0-9]+) states generated, ");
    private static final Pattern VIOLATED = Pattern.compile("Invariant (\\w+) is violated");
    private static final long A_MILLION = 1_000_000;

    @TempDir
    Path directory;

    @Test
    void the_designs_in_use_hold_in_more_than_a_million_states() throws Exception {
        long states = 0;
        for (var module : new String[] {"Admission", "Approval", "Dispatch"}) {
            var said = check(module, Files.readString(MODELS.resolve(module + ".cfg")));
            assertThat(said).as(module).contains("No error has been found");
            states += states(said);
        }

        assertThat(states).isGreaterThan(A_MILLION);
    }

    @ParameterizedTest
    @CsvSource({
        "Admission, reserve first, NoStuckKey",
        "Admission, free on failure, OneEffect",
        "Approval, label first, LabelAgrees",
        "Dispatch, publish first, NothingUnpromised",
        "Dispatch, blind rollback, OneHolder",
        "Dispatch, no fence, FromTheHighestFence"
    })
    void a_design_that_was_given_up_fails(String module, String design, String invariant) throws Exception {
        var usual = Files.readString(MODELS.resolve(module + ".cfg"));
        // Only the invariant in question, because another might fail earlier.
        var other = DESIGN.matcher(usual)
                .replaceFirst("Design = \"" + design + "\"")
                .replaceFirst("(?m)^INVARIANTS .*$", "INVARIANTS " + invariant);

        var violated = VIOLATED.matcher(check(module, other));

        assertThat(violated.find()).isTrue();
        assertThat(violated.group(1)).isEqualTo(invariant);
    }

    private String check(String module, String config) throws IOException, InterruptedException, URISyntaxException {
        Files.copy(
                MODELS.resolve(module + ".tla"),
                directory.resolve(module + ".tla"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(directory.resolve(module + ".cfg"), config);
        var jar = Path.of(
                TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseParallelGC",
                        "-Xmx512m",
                        "-cp",
                        jar.toString(),
                        "tlc2.TLC",
                        "-workers",
                        "2",
                        "-metadir",
                        directory.resolve("states").toString(),
                        module + ".tla")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    private static long states(String said) {
        var generated = GENERATED.matcher(said);
        assertThat(generated.find()).as(said).isTrue();
        return Long.parseLong(generated.group(1));
    }
}
