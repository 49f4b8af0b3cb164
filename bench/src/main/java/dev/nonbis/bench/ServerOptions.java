package dev.nonbis.bench;

import dev.nonbis.bench.process.ServerCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Help;
import picocli.CommandLine.Option;

/** Options of every command that starts a server of its own. */
final class ServerOptions {

    @Option(
            names = "--server-jar",
            paramLabel = "FILE",
            description = "The server to start (default: the one of this source tree).",
            showDefaultValue = Help.Visibility.NEVER)
    Optional<Path> jar = Optional.empty();

    @Option(
            names = "--server-jvm",
            paramLabel = "FLAGS",
            description = "Flags for the server's virtual machine (default: those of the launcher).",
            split = " ")
    List<String> flags = ServerCommand.LAUNCHER_FLAGS;

    ServerCommand command() {
        return new ServerCommand(
                jar.map(Path::toAbsolutePath).orElse(ServerCommand.ofThisTree().jar()), flags, Map.of());
    }
}
