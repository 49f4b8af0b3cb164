package dev.nonbis.server.cli;

import dev.nonbis.client.Answer;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can be done with payments and budgets. */
final class PaymentCommands {

    private static final WaitOptions.Subject WAITED_FOR = new WaitOptions.Subject(
            payment -> payment.body().path("status").asString(""),
            payment -> exit(payment) == ExitCode.PENDING,
            "payment show --wait");

    private PaymentCommands() {}

    private static ExitCode exit(Answer payment) {
        return switch (payment.body().path("decision").asString("")) {
            case "allow" -> ExitCode.DONE;
            case "deny" -> ExitCode.DENIED;
            default -> ExitCode.PENDING;
        };
    }

    private static Answer follow(Terminal terminal, NonbisClient client, String id, WaitOptions waiting) {
        return waiting.follow(terminal, WAITED_FOR, () -> client.getPayment(id));
    }

    private static String id(Answer payment) {
        return payment.body().path("payment_id").asString("");
    }

    @Command(name = "list", description = "List payments, newest first.", mixinStandardHelpOptions = true)
    static final class Listing extends ClientCommand {

        private static final List<String> COLUMNS =
                List.of("payment_id", "status", "deny_code", "agent_id", "amount.value", "created_at");

        @Option(
                names = "--status",
                paramLabel = "STATUS",
                description = "Only auto_approved, requires_human, approved or rejected ones.")
        private Optional<String> status = Optional.empty();

        @Option(names = "--agent", paramLabel = "AGENT_ID", description = "Only those of this agent.")
        private Optional<String> agent = Optional.empty();

        @Mixin
        private final PageOptions page = new PageOptions();

        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var query = page.addTo(Query.ALL.and("status", status).and("agent", agent));
            report.table(terminal, connect().listPayments(query).answer(), COLUMNS);
            return ExitCode.DONE;
        }
    }

    @Command(
            name = "submit",
            description = "Ask for a payment; it is decided once, however often this is sent.",
            mixinStandardHelpOptions = true)
    static final class Submit extends ClientCommand {

        @Parameters(paramLabel = "FILE", description = "The envelope as JSON; - for standard input.")
        private String file = "";

        @Option(names = "--key", paramLabel = "KEY", description = "The idempotency key; made and told when absent.")
        private Optional<String> key = Optional.empty();

        @Mixin
        private final WaitOptions waiting = new WaitOptions();

        Submit(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var envelope = new Inputs(terminal).json(file.equals("-") ? file : "@" + file);
            var generated = NonbisClient.submitPaymentCall(envelope);
            var call = key.map(generated::withKey).orElse(generated);
            KeyTalk.tell(terminal, key, call.idempotencyKey().orElseThrow());
            var client = connect();
            var submitted = client.submitPayment(call);
            var answer = waiting.isWait() && exit(submitted) == ExitCode.PENDING
                    ? follow(terminal, client, id(submitted), waiting)
                    : submitted;
            report.object(terminal, answer);
            return exit(answer);
        }
    }

    @Command(
            name = "show",
            description = "Show a payment with its receipts; the exit code follows its decision.",
            mixinStandardHelpOptions = true)
    static final class Show extends ClientCommand {

        @Parameters(paramLabel = "PAYMENT_ID")
        private String paymentId = "";

        @Mixin
        private final WaitOptions waiting = new WaitOptions();

        Show(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var answer = follow(terminal, connect(), paymentId, waiting);
            report.object(terminal, answer);
            return exit(answer);
        }
    }

    @Command(
            name = "show",
            description = "Show what an agent may spend and has spent.",
            mixinStandardHelpOptions = true)
    static final class Budgets extends ClientCommand {

        private static final List<String> COLUMNS =
                List.of("scope", "provider", "window", "cap_usd", "spent_usd", "left_usd");

        @Parameters(paramLabel = "AGENT_ID")
        private String agentId = "";

        Budgets(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.table(terminal, connect().budgets(agentId).answer(), COLUMNS);
            return ExitCode.DONE;
        }
    }
}
