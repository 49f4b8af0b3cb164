package dev.nonbis.server.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = "Check a configuration and the environment as serve would, without starting.",
        mixinStandardHelpOptions = true)
final class ConfigCheckCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The file; without it, the environment alone.")
    private Optional<Path> file = Optional.empty();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    ConfigCheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        ConfigFiles.load(terminal, file);
        terminal.out().println(json ? "{\"valid\":true}" : "the configuration is valid");
        return ExitCode.DONE.code();
    }
}
