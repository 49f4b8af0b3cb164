package dev.nonbis.server.cli;

import dev.nonbis.client.Query;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can be done with jobs that exist. */
final class JobCommands {

    private JobCommands() {}

    @Command(
            name = "status",
            description = "Show a job; the exit code follows its state.",
            mixinStandardHelpOptions = true)
    static final class Status extends ClientCommand {

        @Parameters(paramLabel = "JOB_ID")
        private String jobId = "";

        @Mixin
        private final WaitOptions waiting = new WaitOptions();

        Status(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var client = connect();
            var last = waiting.follow(terminal, () -> client.getJob(jobId));
            report.object(terminal, last);
            return ExitCode.ofState(WaitOptions.state(last));
        }
    }

    @Command(name = "list", description = "List jobs.", mixinStandardHelpOptions = true)
    static final class Listing extends ClientCommand {

        @Option(names = "--state", paramLabel = "STATE", description = "Only jobs in this state.")
        private Optional<String> state = Optional.empty();

        @Option(names = "--topic", paramLabel = "TOPIC", description = "Only jobs of this topic.")
        private Optional<String> topic = Optional.empty();

        @Option(names = "--label", paramLabel = "NAME:VALUE", description = "Only jobs with this label.")
        private Optional<String> label = Optional.empty();

        @Mixin
        private final PageOptions page = new PageOptions();

        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var query = Query.ALL.and("state", state).and("topic", topic).and("label", label);
            var answer = connect().listJobs(page.addTo(query)).answer();
            report.table(terminal, answer, List.of("job_id", "state", "topic", "created_at"));
            return ExitCode.DONE;
        }
    }

    @Command(name = "cancel", description = "Cancel a job that has not ended.", mixinStandardHelpOptions = true)
    static final class Cancel extends ClientCommand {

        @Parameters(paramLabel = "JOB_ID")
        private String jobId = "";

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the timeline.")
        private Optional<String> reason = Optional.empty();

        Cancel(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().cancelJob(jobId, reason));
            return ExitCode.DONE;
        }
    }

    @Command(name = "timeline", description = "Show all that happened to a job.", mixinStandardHelpOptions = true)
    static final class Timeline extends ClientCommand {

        @Parameters(paramLabel = "JOB_ID")
        private String jobId = "";

        Timeline(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.lines(terminal, connect().jobTimeline(jobId));
            return ExitCode.DONE;
        }
    }
}
