package dev.nonbis.server.cli;

import dev.nonbis.server.config.ConfigLoader;
import dev.nonbis.server.config.ConfigResult;
import java.nio.file.Path;
import java.util.Optional;

/** Loads a configuration for a command, or lists its errors and ends it. */
final class ConfigFiles {

    private ConfigFiles() {}

    static ConfigResult.Accepted load(Terminal terminal, Optional<Path> file) {
        var resolved = file.map(path -> terminal.directory().resolve(path));
        return switch (ConfigLoader.load(resolved, terminal.environment())) {
            case ConfigResult.Accepted accepted -> accepted;
            case ConfigResult.Refused refused -> {
                refused.errors().forEach(error -> terminal.err().println(Report.visible(error.toString())));
                var count = refused.errors().size();
                throw new CommandFailed(
                        ExitCode.ERROR,
                        "the configuration has " + (count == 1 ? "1 error" : count + " errors"),
                        "correct what is listed above");
            }
        };
    }
}
