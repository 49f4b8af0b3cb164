package dev.nonbis.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.server.ReferencePage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class CommandLinePageTest {

    private final ReferencePage page = ReferencePage.named("command-line.md");
    private final CommandLine nonbis = new NonbisCommand(Terminal.ofProcess(), config -> {
                throw new StartRefused("no server", "none is needed here");
            })
            .commandLine();

    @Test
    void every_command_has_its_row() {
        assertThat(page.rowsThatStartWith("nonbis ")).containsAll(commands(nonbis));
    }

    @Test
    void every_row_has_its_command() {
        var others = List.of("nonbis --version", "nonbis bench", "nonbis torture");

        assertThat(page.rowsThatStartWith("nonbis "))
                .allMatch(row -> others.contains(row) || commands(nonbis).contains(row));
    }

    @Test
    void every_option_is_named() {
        assertThat(options(nonbis)).allMatch(page.text()::contains);
    }

    @Test
    void every_exit_code_has_its_meaning() {
        for (var exit : ExitCode.values()) {
            assertThat(page.text()).contains("| " + exit.code() + " | " + exit.meaning() + " |");
        }
    }

    @Test
    void every_command_that_prints_data_can_print_it_as_json() {
        assertThat(leaves(nonbis))
                .filteredOn(command -> !List.of("completion", "help").contains(command.getCommandName()))
                .allMatch(command -> command.getCommandSpec().findOption("--json") != null);
    }

    @Test
    void whatever_can_be_waited_for_has_wait() {
        assertThat(leaves(nonbis).stream()
                        .filter(command -> command.getCommandSpec().findOption("--wait") != null)
                        .map(command -> command.getCommandSpec().qualifiedName()))
                .containsExactlyInAnyOrder(
                        "nonbis job submit",
                        "nonbis job status",
                        "nonbis dlq retry",
                        "nonbis approvals show",
                        "nonbis approvals approve",
                        "nonbis run start",
                        "nonbis run status",
                        "nonbis payment submit",
                        "nonbis payment show");
    }

    private static List<CommandLine> leaves(CommandLine parent) {
        var found = new ArrayList<CommandLine>();
        for (var command : parent.getSubcommands().values()) {
            var spec = command.getCommandSpec();
            if (!spec.usageMessage().hidden() && spec.userObject() instanceof Callable) {
                found.add(command);
            }
            found.addAll(leaves(command));
        }
        return found;
    }

    private static List<String> commands(CommandLine parent) {
        var found = new ArrayList<String>();
        for (var command : parent.getSubcommands().values()) {
            var spec = command.getCommandSpec();
            if (spec.usageMessage().hidden()) {
                continue;
            }
            if (command.getSubcommands().isEmpty() || spec.userObject() instanceof Callable) {
                found.add(spec.qualifiedName());
            }
            found.addAll(commands(command));
        }
        return found;
    }

    private static Set<String> options(CommandLine parent) {
        var found = new TreeSet<String>();
        for (var option : parent.getCommandSpec().options()) {
            found.add(option.longestName());
        }
        parent.getSubcommands().values().forEach(command -> found.addAll(options(command)));
        return found;
    }
}
