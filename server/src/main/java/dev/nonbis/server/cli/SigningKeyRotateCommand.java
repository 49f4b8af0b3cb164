package dev.nonbis.server.cli;

import dev.nonbis.server.signing.SigningKeyFile;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "rotate",
        description = "Put a new key in front of those in a file. The server takes it at its next start.",
        mixinStandardHelpOptions = true)
final class SigningKeyRotateCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "The file that signing.keys_file names.")
    private Path file = Path.of("");

    @Option(names = "--json", description = "Print the new key's id as JSON.")
    private boolean json;

    SigningKeyRotateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try {
            var key = new SigningKeyFile(terminal.directory().resolve(file)).rotate();
            terminal.out()
                    .println(
                            json
                                    ? Inputs.EXACT
                                            .createObjectNode()
                                            .put("key_id", key.id())
                                            .toString()
                                    : key.id());
            terminal.err().println("new key; start the server again to sign with it");
            return ExitCode.DONE.code();
        } catch (SigningKeyFile.Unusable e) {
            throw new CommandFailed(ExitCode.ERROR, e.reason(), "check the file's path and permissions");
        }
    }
}
