package dev.nonbis.core.payment;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Where the money would go: four shapes, told apart by {@code type}. */
final class Destination {

    private static final Pattern ADDRESS = Pattern.compile("0x[a-fA-F0-9]{40}");
    private static final List<String> TYPES = List.of("x402_endpoint", "eoa", "smart_account", "erc20_transfer");
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

    private Destination() {}

    /** Checks a destination; the address that gets the money, when it names one. */
    static Optional<String> recipient(Fields fields) {
        return switch (fields.oneOf("type", TYPES)) {
            case "x402_endpoint" -> endpoint(fields);
            case "erc20_transfer" -> {
                fields.only(Set.of("type", "token_address", "recipient"));
                fields.matching("token_address", ADDRESS);
                yield Optional.of(fields.matching("recipient", ADDRESS));
            }
            default -> {
                fields.only(Set.of("type", "address"));
                yield Optional.of(fields.matching("address", ADDRESS));
            }
        };
    }

    private static Optional<String> endpoint(Fields fields) {
        fields.only(Set.of("type", "url", "method", "expected_recipient"));
        fields.uri("url");
        fields.oneOf("method", METHODS);
        return fields.has("expected_recipient")
                ? Optional.of(fields.matching("expected_recipient", ADDRESS))
                : Optional.empty();
    }
}
