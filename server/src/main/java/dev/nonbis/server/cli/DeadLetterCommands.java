package dev.nonbis.server.cli;

import dev.nonbis.client.Query;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What an operator can do with jobs that workers and time have left open. */
final class DeadLetterCommands {

    private DeadLetterCommands() {}

    /** What an operator found out. */
    enum Outcome {
        SUCCEEDED,
        FAILED,
        RETRY
    }

    @Command(
            name = "resolve",
            description = "Say how a job in UNKNOWN ended, or have it done again.",
            mixinStandardHelpOptions = true)
    static final class Resolve extends ClientCommand {

        @Parameters(index = "0", paramLabel = "JOB_ID")
        private String jobId = "";

        @Parameters(index = "1", paramLabel = "OUTCOME", description = "succeeded, failed or retry.")
        private Outcome outcome = Outcome.FAILED;

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the audit log.")
        private String reason = "";

        Resolve(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().resolveJob(jobId, outcome.name().toLowerCase(Locale.ROOT), reason));
            return ExitCode.DONE;
        }
    }

    @Command(name = "list", description = "List jobs that ran out of attempts.", mixinStandardHelpOptions = true)
    static final class Listing extends ClientCommand {

        @Mixin
        private final PageOptions page = new PageOptions();

        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var answer = connect().listDeadLetters(page.addTo(Query.ALL)).answer();
            report.table(terminal, answer, List.of("job_id", "state", "topic", "why", "at", "retried_as"));
            return ExitCode.DONE;
        }
    }

    @Command(
            name = "retry",
            description = "Have the work of a dead letter done again; once, however often it is sent.",
            mixinStandardHelpOptions = true)
    static final class Retry extends ClientCommand {

        @Parameters(paramLabel = "JOB_ID")
        private String jobId = "";

        @Mixin
        private final WaitOptions waiting = new WaitOptions();

        Retry(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var client = connect();
            var retried = client.retryDeadLetter(jobId);
            if (!waiting.isWait()) {
                report.object(terminal, retried);
                return ExitCode.DONE;
            }
            String again = retried.body().path("retried_as").asString("");
            terminal.err().println("job: " + Report.visible(again));
            var last = waiting.follow(terminal, () -> client.getJob(again));
            report.object(terminal, last);
            return ExitCode.ofState(WaitOptions.state(last));
        }
    }

    @Command(
            name = "discard",
            description = "Remove a dead letter; the job stays as it is.",
            mixinStandardHelpOptions = true)
    static final class Discard extends ClientCommand {

        @Parameters(paramLabel = "JOB_ID")
        private String jobId = "";

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the audit log.")
        private Optional<String> reason = Optional.empty();

        Discard(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().discardDeadLetter(jobId, reason));
            return ExitCode.DONE;
        }
    }
}
