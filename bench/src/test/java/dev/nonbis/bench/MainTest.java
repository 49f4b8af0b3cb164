package dev.nonbis.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class MainTest {

    @Test
    void every_command_explains_itself_when_asked() {
        for (var path : paths(Main.commandLine(), List.of())) {
            var said = new StringWriter();
            var words = new ArrayList<>(path);
            words.add("--help");

            int exit = Main.commandLine().setOut(new PrintWriter(said)).execute(words.toArray(String[]::new));

            assertThat(exit).as(String.join(" ", words)).isZero();
            assertThat(said.toString()).contains("Usage: " + String.join(" ", prepend("nonbis", path)));
        }
    }

    private static List<List<String>> paths(CommandLine command, List<String> path) {
        var paths = new ArrayList<List<String>>();
        paths.add(path);
        command.getSubcommands().forEach((name, sub) -> {
            var longer = new ArrayList<>(path);
            longer.add(name);
            paths.addAll(paths(sub, longer));
        });
        return paths;
    }

    private static List<String> prepend(String first, List<String> others) {
        var all = new ArrayList<>(List.of(first));
        all.addAll(others);
        return all;
    }
}
