package dev.nonbis.server.cli;

import dev.nonbis.core.payment.Receipt;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "verify",
        description = "Check a receipt: offline with --keys, else with the keys that the server gives.",
        mixinStandardHelpOptions = true)
final class ReceiptVerifyCommand extends ClientCommand {

    @Parameters(
            paramLabel = "FILE",
            description = "A receipt, or an answer that has one as its member receipt; - for standard input.")
    private String file = "";

    @Option(
            names = "--keys",
            paramLabel = "FILE",
            description = "The public keys: a copy of the server's /.well-known/nonbis-keys.json.")
    private Optional<String> keys = Optional.empty();

    ReceiptVerifyCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    ExitCode run() {
        var files = new SignedFiles(terminal);
        var given = files.object(file);
        var receipt = given.object("receipt").orElse(given);
        var known = keys.map(files::keys).orElseGet(this::published);
        if (!receipt.string("type").equals(Optional.of(Receipt.TYPE))) {
            throw failed("it is not a payment receipt");
        }
        switch (known.check(receipt)) {
            case GOOD -> {
                mustAgree(given, receipt);
                tell(receipt);
            }
            case NOT_SIGNED -> throw failed("it is not signed");
            case UNKNOWN_KEY -> throw failed("it is signed with a key that is not among those given");
            case BAD -> throw failed("its signature does not fit it: it was changed, or is not ours");
        }
        return ExitCode.DONE;
    }

    /** An answer repeats what its receipt says; only the receipt is signed, and a reader may look at the other. */
    private static void mustAgree(JsonObject given, JsonObject receipt) {
        receipt.members().forEach((name, value) -> {
            if (given.has(name) && !given.get(name).equals(Optional.of(value))) {
                throw failed("the answer around it says something else in " + name);
            }
        });
    }

    private void tell(JsonObject receipt) {
        if (report.isJson()) {
            terminal.out().println(new String(Json.write(receipt), StandardCharsets.UTF_8));
            return;
        }
        terminal.out()
                .println("the receipt is good: payment " + shown(receipt, "payment_id") + " " + shown(receipt, "status")
                        + ", decided at " + shown(receipt, "decided_at") + ", key " + shown(receipt, "key_id"));
    }

    private PublicKeys published() {
        var answer = connect().signingKeys().text();
        return PublicKeys.ofJwkSet(Json.parse(answer.getBytes(StandardCharsets.UTF_8)))
                .orElseThrow(() -> new CommandFailed(
                        ExitCode.ERROR, "the server gave no keys", "give the public keys with --keys"));
    }

    private static String shown(JsonObject receipt, String name) {
        return Report.visible(receipt.string(name).orElse("-"));
    }

    private static CommandFailed failed(String why) {
        return new CommandFailed(
                ExitCode.ERROR, "the receipt is not good: " + why, "ask for the payment at the server that decided it");
    }
}
