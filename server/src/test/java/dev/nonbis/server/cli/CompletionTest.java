package dev.nonbis.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion scripts in the shells that they are for. */
final class CompletionTest {

    @TempDir
    Path directory;

    @Test
    void bash_completes_commands_and_options() throws Exception {
        var script = script("bash");

        assertThat(shell("bash", "source '" + script + """
                '
                COMP_WORDS=(nonbis job '')
                COMP_CWORD=2
                COMP_LINE='nonbis job '
                COMP_POINT=11
                _complete_nonbis
                echo "${COMPREPLY[@]}"
                COMP_WORDS=(nonbis run start --i)
                COMP_CWORD=3
                COMP_LINE='nonbis run start --i'
                COMP_POINT=20
                _complete_nonbis
                echo "${COMPREPLY[@]}"
                """)).contains("submit", "timeline", "--input");
    }

    @Test
    void zsh_takes_the_script() throws Exception {
        var script = script("zsh");

        assertThat(shell(
                        "zsh",
                        "autoload -U compinit && compinit -D && source '" + script + "' && print -- $_comps[nonbis]"))
                .contains("_bash_complete");
    }

    @Test
    void fish_completes_commands_and_options_with_what_they_mean() throws Exception {
        var script = script("fish");

        var said = shell("fish", "source '" + script + """
                '
                complete -C 'nonbis '
                complete -C 'nonbis drill '
                complete -C 'nonbis job submit --t'
                complete -C 'nonbis approvals approve job_1 --rea'
                """);

        assertThat(said.lines().map(line -> line.split("\t", 2)[0]))
                .contains("approvals", "payment", "admission", "window", "--topic", "--timeout", "--reason")
                .doesNotContain("warm-up");
        assertThat(said).contains("--topic\tWhat kind of work it is.");
    }

    private Path script(String shell) throws Exception {
        var out = new ByteArrayOutputStream();
        var terminal = new Terminal(
                new Terminal.Streams(
                        InputStream.nullInputStream(), new PrintStream(out, true, StandardCharsets.UTF_8), System.err),
                Map.of(),
                directory,
                wait -> {},
                InstantSource.system());
        int exit = new NonbisCommand(terminal, config -> {
                    throw new StartRefused("no server", "none is needed here");
                })
                .run("completion", shell);
        assertThat(exit).isZero();
        return Files.write(directory.resolve("completion." + shell), out.toByteArray());
    }

    /** Skips the test where the shell is missing, visibly; in CI that is a failure. */
    private String shell(String shell, String commands) throws Exception {
        boolean installed =
                List.of("/bin/", "/usr/bin/").stream().anyMatch(place -> Files.isExecutable(Path.of(place + shell)));
        if (!installed && "true".equals(System.getenv("CI"))) {
            throw new AssertionError("CI needs " + shell);
        }
        assumeTrue(installed, shell + " is not installed, so its completion was not tried");
        var file = Files.writeString(directory.resolve("commands"), commands);
        var builder = new ProcessBuilder(shell, file.toString()).redirectErrorStream(true);
        builder.environment().put("HOME", directory.toString());
        var process = builder.start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
