package dev.nonbis.server.cli;

import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "set",
        description = "Set how many runs of a tenant may be active at once.",
        mixinStandardHelpOptions = true)
final class LimitsSetCommand extends ClientCommand {

    @Parameters(paramLabel = "TENANT")
    private String tenant = "";

    @Option(
            names = "--max-concurrent-runs",
            required = true,
            paramLabel = "N",
            description = "A number, or none for no limit.")
    private String maxConcurrentRuns = "";

    LimitsSetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    ExitCode run() {
        report.object(terminal, connect().setMaxConcurrentRuns(tenant, limit()));
        return ExitCode.DONE;
    }

    private Optional<Integer> limit() {
        if (maxConcurrentRuns.equals("none")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Integer.parseInt(maxConcurrentRuns));
        } catch (NumberFormatException e) {
            throw new CommandFailed(
                    ExitCode.USAGE,
                    "\"" + maxConcurrentRuns + "\" is not a limit",
                    "give a whole number, or none for no limit");
        }
    }
}
