package dev.nonbis.server.cli;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        description =
                "Print a completion script: source <(nonbis completion bash), or nonbis completion fish | source.",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {

    /** The shells that the script works in. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    private static final String NAME = "nonbis";
    private static final String BASH_IN_ZSH = "autoload -U +X bashcompinit && bashcompinit\n";

    private final Terminal terminal;
    private final Supplier<CommandLine> commandLine;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell = Shell.bash;

    CompletionCommand(Terminal terminal, Supplier<CommandLine> commandLine) {
        this.terminal = terminal;
        this.commandLine = commandLine;
    }

    @Override
    public Integer call() {
        terminal.out()
                .println(
                        switch (shell) {
                            case bash -> AutoComplete.bash(NAME, commandLine.get());
                            case zsh -> BASH_IN_ZSH + AutoComplete.bash(NAME, commandLine.get());
                            case fish -> new FishCompletion(NAME, commandLine.get()).script();
                        });
        return ExitCode.DONE.code();
    }
}
