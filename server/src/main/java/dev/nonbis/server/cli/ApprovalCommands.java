package dev.nonbis.server.cli;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Decision;
import dev.nonbis.client.Query;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a human can do with what waits for one. */
final class ApprovalCommands {

    private static final WaitOptions.Subject WAITED_FOR = new WaitOptions.Subject(
            approval -> approval.body().path("status").asString("") + " for a human",
            approval -> exit(approval) == ExitCode.PENDING,
            "approvals show --wait");

    private ApprovalCommands() {}

    private static ExitCode exit(Answer approval) {
        var body = approval.body();
        return switch (body.path("decision").path("kind").asString("")) {
            case "approved" -> ExitCode.DONE;
            case "rejected", "expired" -> ExitCode.DENIED;
            default -> body.path("status").asString("").equals("waiting") ? ExitCode.PENDING : ExitCode.ERROR;
        };
    }

    @Command(
            name = "list",
            description = "List what waits for a decision, or what was decided.",
            mixinStandardHelpOptions = true)
    static final class Listing extends ClientCommand {

        @Option(names = "--status", paramLabel = "STATUS", description = "waiting (the default) or decided.")
        private String status = "waiting";

        @Mixin
        private final PageOptions page = new PageOptions();

        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var answer = connect()
                    .listApprovals(page.addTo(Query.ALL.and("status", status)))
                    .answer();
            report.table(terminal, answer, status.equals("decided") ? DECIDED : WAITING);
            return ExitCode.DONE;
        }

        private static final List<String> WAITING =
                List.of("job_id", "submitted_by", "requested_at", "expires_at", "matched_rule_id");
        private static final List<String> DECIDED =
                List.of("job_id", "submitted_by", "decision.kind", "decision.by", "decision.at");
    }

    @Command(
            name = "show",
            description = "Show exactly what would run, and the command that decides about just that.",
            mixinStandardHelpOptions = true)
    static final class Show extends ClientCommand {

        @Parameters(paramLabel = "JOB_ID")
        private String jobId = "";

        @Mixin
        private final WaitOptions waiting = new WaitOptions();

        Show(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var client = connect();
            var answer = waiting.follow(terminal, WAITED_FOR, () -> client.getApproval(jobId));
            ApprovalView.requireHashOfRequest(answer);
            if (report.isJson()) {
                terminal.out().println(answer.text());
            } else {
                new ApprovalView(answer.body(), terminal.clock().instant())
                        .lines()
                        .forEach(terminal.out()::println);
            }
            return waiting.isWait() ? exit(answer) : ExitCode.DONE;
        }
    }

    @Command(name = "approve", description = "Let a job that waits go on.", mixinStandardHelpOptions = true)
    static final class Approve extends ClientCommand {

        @Parameters(paramLabel = "JOB_ID")
        private String jobId = "";

        @Mixin
        private final DecisionOptions decision = new DecisionOptions();

        @Mixin
        private final WaitOptions waiting = new WaitOptions();

        Approve(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var client = connect();
            var told = client.approve(jobId, decision.get());
            boolean isJob = told.body().path("payment_id").isMissingNode();
            if (!waiting.isWait() || !isJob) {
                // A payment is over with its decision.
                return decision.tell(this, told, "approved");
            }
            terminal.err().println(told.replayed() ? "already approved" : "approved");
            var last = waiting.follow(terminal, () -> client.getJob(jobId));
            report.object(terminal, last);
            return ExitCode.ofState(WaitOptions.state(last));
        }
    }

    @Command(
            name = "reject",
            description = "Deny a job that waits, and the run that it is a step of.",
            mixinStandardHelpOptions = true)
    static final class Reject extends ClientCommand {

        @Parameters(paramLabel = "JOB_ID")
        private String jobId = "";

        @Mixin
        private final DecisionOptions decision = new DecisionOptions();

        Reject(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            return decision.tell(this, connect().reject(jobId, decision.get()), "rejected");
        }
    }

    /** What is said with a decision. */
    static final class DecisionOptions {

        @Option(
                names = {"-m", "--reason"},
                paramLabel = "TEXT",
                description = "Why, for the timeline and the audit log.")
        private Optional<String> reason = Optional.empty();

        @Option(names = "--note", paramLabel = "TEXT", description = "Anything else, for the same places.")
        private Optional<String> note = Optional.empty();

        @Option(
                names = "--digest",
                paramLabel = "HASH",
                description = "The request hash that show printed; decides only if the job still has it.")
        private Optional<String> digest = Optional.empty();

        Decision get() {
            return new Decision(reason, note, digest);
        }

        /** Says whether this call decided or an earlier one had, which both are success. */
        ExitCode tell(ClientCommand command, Answer answer, String word) {
            command.report.object(command.terminal, answer);
            if (answer.replayed()) {
                var body = answer.body();
                command.terminal
                        .err()
                        .println("counted before: " + word + " by "
                                + Report.visible(body.path(word + "_by").asString("")) + " at "
                                + Report.visible(body.path(word + "_at").asString("")) + "; this call changed nothing");
            }
            return ExitCode.DONE;
        }
    }
}
