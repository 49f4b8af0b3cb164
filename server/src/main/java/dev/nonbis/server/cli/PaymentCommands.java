package dev.nonbis.server.cli;

import dev.nonbis.client.Answer;
import dev.nonbis.client.NonbisClient;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What can be done with payments and budgets. */
final class PaymentCommands {

    private PaymentCommands() {}

    private static ExitCode exit(Answer payment) {
        return switch (payment.body().path("decision").asString("")) {
            case "allow" -> ExitCode.DONE;
            case "deny" -> ExitCode.DENIED;
            default -> ExitCode.PENDING;
        };
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

        Submit(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var envelope = new Inputs(terminal).json(file.equals("-") ? file : "@" + file);
            var generated = NonbisClient.submitPaymentCall(envelope);
            var call = key.map(generated::withKey).orElse(generated);
            KeyTalk.tell(terminal, key, call.idempotencyKey().orElseThrow());
            var answer = connect().submitPayment(call);
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

        Show(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var answer = connect().getPayment(paymentId);
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
