package dev.nonbis.core.payment;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonObject;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the envelope of a payment request field by field, in the order of its description, and stops at the first that is wrong. */
public final class Envelope {

    private static final Pattern AGENT = Pattern.compile("[a-z0-9][a-z0-9_-]{2,63}");
    private static final Pattern TASK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");
    private static final Pattern AMOUNT = Pattern.compile("(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?");
    private static final Pattern TOKEN = Pattern.compile("[A-Z0-9]{2,16}");
    private static final Pattern CHAIN = Pattern.compile("[a-z0-9][a-z0-9_-]{1,31}");
    private static final Pattern NONCE = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}");
    private static final Pattern SHA256 = Pattern.compile("[a-f0-9]{64}");
    private static final Pattern CONTENT_TYPE = Pattern.compile("[\\x20-\\x7e]{1,255}");

    private static final List<String> INTENTS =
            List.of("purchase_api_call", "purchase_dataset", "pay_compute_job", "pay_agent_service", "tip");
    private static final List<String> PROTOCOLS = List.of("x402", "l402", "erc20_transfer", "smart_account_session");
    private static final List<String> RISKS = List.of("low", "medium", "high", "critical");
    private static final List<String> KINDS = List.of("json", "file", "receipt", "none");

    private static final Set<String> MEMBERS = Set.of(
            "agent_id",
            "task_id",
            "intent",
            "amount",
            "token",
            "destination",
            "payment_protocol",
            "chain",
            "provider_url",
            "expiry",
            "nonce",
            "risk_class",
            "x402_payload",
            "expected_result");

    private Envelope() {}

    /** A request, or the first thing that is wrong with it. */
    public sealed interface Result {

        record Valid(PaymentRequest request) implements Result {}

        record Invalid(ProblemCode code, String pointer, String why) implements Result {}
    }

    public static Result read(JsonObject json) {
        try {
            return new Result.Valid(request(json));
        } catch (Fields.Wrong wrong) {
            return new Result.Invalid(wrong.code(), wrong.pointer(), wrong.why());
        }
    }

    private static PaymentRequest request(JsonObject json) {
        var fields = new Fields(json, "").only(MEMBERS);
        String agent = fields.matching("agent_id", AGENT);
        fields.matching("task_id", TASK);
        fields.oneOf("intent", INTENTS);
        BigDecimal amount = amount(fields.object("amount"));
        fields.matching("token", TOKEN);
        Optional<String> recipient = Destination.recipient(fields.object("destination"));
        fields.oneOf("payment_protocol", PROTOCOLS);
        String chain = fields.matching("chain", CHAIN);
        String provider = fields.uri("provider_url");
        Instant expiry = expiry(fields);
        String nonce = fields.matching("nonce", NONCE);
        fields.oneOf("risk_class", RISKS);
        fields.optionalObject("x402_payload");
        fields.optionalObject("expected_result").ifPresent(Envelope::expectedResult);
        return new PaymentRequest(json, agent, amount, chain, provider, recipient, expiry, nonce);
    }

    private static BigDecimal amount(Fields fields) {
        fields.only(Set.of("value", "currency"));
        var value = new BigDecimal(fields.matching("value", AMOUNT));
        if (value.signum() == 0) {
            throw fields.outOfRange("value", "an amount above zero");
        }
        fields.oneOf("currency", List.of("USD"));
        return value;
    }

    private static Instant expiry(Fields fields) {
        String text = fields.string("expiry");
        try {
            return Timestamps.parse(text);
        } catch (IllegalArgumentException notTime) {
            throw fields.outOfRange("expiry", "an RFC 3339 time");
        }
    }

    private static void expectedResult(Fields fields) {
        fields.only(Set.of("kind", "sha256", "content_type"));
        fields.oneOf("kind", KINDS);
        if (fields.has("sha256")) {
            fields.matching("sha256", SHA256);
        }
        if (fields.has("content_type")) {
            fields.matching("content_type", CONTENT_TYPE);
        }
    }
}
