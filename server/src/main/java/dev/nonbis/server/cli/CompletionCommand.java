package dev.nonbis.server.cli;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        description = "Print a completion script: source <(nonbis completion bash)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {

    /** The shells that the script works in. */
    enum Shell {
        bash,
        zsh
    }

    private final Terminal terminal;
    private final Supplier<CommandLine> commandLine;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell = Shell.bash;

    CompletionCommand(Terminal terminal, Supplier<CommandLine> commandLine) {
        this.terminal = terminal;
        this.commandLine = commandLine;
    }

    @Override
    public Integer call() {
        if (shell == Shell.zsh) {
            terminal.out().println("autoload -U +X bashcompinit && bashcompinit");
        }
        terminal.out().println(AutoComplete.bash("nonbis", commandLine.get()));
        return ExitCode.DONE.code();
    }
}
