package dev.nonbis.server.cli;

import dev.nonbis.client.Query;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can be done with runs that exist. */
final class RunCommands {

    private RunCommands() {}

    @Command(
            name = "status",
            description = "Show a run; the exit code follows its state.",
            mixinStandardHelpOptions = true)
    static final class Status extends ClientCommand {

        @Parameters(paramLabel = "RUN_ID")
        private String runId = "";

        @Mixin
        private final WaitOptions waiting = new WaitOptions();

        Status(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var client = connect();
            var last = waiting.follow(terminal, () -> client.getRun(runId));
            report.object(terminal, last);
            return ExitCode.ofState(WaitOptions.state(last));
        }
    }

    @Command(name = "list", description = "List runs.", mixinStandardHelpOptions = true)
    static final class Listing extends ClientCommand {

        @Option(names = "--state", paramLabel = "STATE", description = "Only runs in this state.")
        private Optional<String> state = Optional.empty();

        @Option(names = "--workflow", paramLabel = "WORKFLOW_ID", description = "Only runs of this workflow.")
        private Optional<String> workflow = Optional.empty();

        @Mixin
        private final PageOptions page = new PageOptions();

        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var query = Query.ALL.and("state", state).and("workflow", workflow);
            var answer = connect().listRuns(page.addTo(query)).answer();
            report.table(terminal, answer, List.of("run_id", "state", "workflow", "created_at"));
            return ExitCode.DONE;
        }
    }

    @Command(name = "cancel", description = "Cancel a run that has not ended.", mixinStandardHelpOptions = true)
    static final class Cancel extends ClientCommand {

        @Parameters(paramLabel = "RUN_ID")
        private String runId = "";

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the timeline.")
        private Optional<String> reason = Optional.empty();

        Cancel(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().cancelRun(runId, reason));
            return ExitCode.DONE;
        }
    }

    @Command(name = "timeline", description = "Show all that happened to a run.", mixinStandardHelpOptions = true)
    static final class Timeline extends ClientCommand {

        @Parameters(paramLabel = "RUN_ID")
        private String runId = "";

        Timeline(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.lines(terminal, connect().runTimeline(runId));
            return ExitCode.DONE;
        }
    }
}
