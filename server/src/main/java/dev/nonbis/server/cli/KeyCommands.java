package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisClient.KeyName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What an operator can do with idempotency keys. */
final class KeyCommands {

    private KeyCommands() {}

    @Command(name = "show", description = "Show what is recorded under a key.", mixinStandardHelpOptions = true)
    static final class Show extends ClientCommand {

        @Parameters(index = "0", paramLabel = "OPERATION", description = "jobs, runs or payments.")
        private String operation = "";

        @Parameters(index = "1", paramLabel = "KEY")
        private String key = "";

        Show(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().showKey(new KeyName(operation, key)));
            return ExitCode.DONE;
        }
    }

    @Command(
            name = "release",
            description = "Free a key, so that the next request under it takes effect anew. Audited.",
            mixinStandardHelpOptions = true)
    static final class Release extends ClientCommand {

        @Parameters(index = "0", paramLabel = "OPERATION", description = "jobs, runs or payments.")
        private String operation = "";

        @Parameters(index = "1", paramLabel = "KEY")
        private String key = "";

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the audit log.")
        private String reason = "";

        Release(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().releaseKey(new KeyName(operation, key), reason));
            return ExitCode.DONE;
        }
    }
}
