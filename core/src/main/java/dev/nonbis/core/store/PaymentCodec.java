package dev.nonbis.core.store;

import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.payment.Budget;
import dev.nonbis.core.payment.Nonce;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.payment.Payment.Decision;
import dev.nonbis.core.payment.Payment.Origin;
import dev.nonbis.core.payment.Payment.Status;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Payments as objects; nonces and budgets, which every payment writes, as words. */
public final class PaymentCodec {

    private static final char GAP = ' ';

    private PaymentCodec() {}

    /** The nonce that a row's key names. */
    public static Nonce.Key nonceKey(String keyText) {
        int slash = keyText.indexOf('/');
        return new Nonce.Key(new TenantId(keyText.substring(0, slash)), keyText.substring(slash + 1));
    }

    static byte[] encodeNonce(Nonce nonce) {
        String words = nonce.payment().value() + GAP + Timestamps.micros(nonce.neededUntil());
        return words.getBytes(StandardCharsets.US_ASCII);
    }

    static Nonce decodeNonce(byte[] body) {
        String words = new String(body, StandardCharsets.US_ASCII);
        int gap = words.indexOf(GAP);
        return new Nonce(
                new PaymentId(words.substring(0, gap)), Timestamps.ofMicros(Long.parseLong(words.substring(gap + 1))));
    }

    static byte[] encodeBudget(Budget budget) {
        return budget.spentUsd().toPlainString().getBytes(StandardCharsets.US_ASCII);
    }

    static Budget decodeBudget(byte[] body) {
        return new Budget(new BigDecimal(new String(body, StandardCharsets.US_ASCII)));
    }

    static byte[] encode(Payment payment) {
        var origin = payment.origin();
        return Json.write(JsonObject.builder()
                .put("id", payment.id().value())
                .put("tenant", payment.tenant().value())
                .put("submitted_by", origin.submittedBy())
                .put("agent", origin.agentId())
                .put("amount", origin.amountUsd())
                .put("trace", origin.trace().text())
                .put("request_hash", origin.requestHash())
                .put("created", Timestamps.micros(origin.createdAt()))
                .put("decision", encode(payment.decision()))
                .put("receipts", new JsonArray(List.copyOf(payment.receipts())))
                .put("replays", payment.duplicates().replays())
                .put("mismatches", payment.duplicates().mismatches())
                .build());
    }

    static Payment decode(byte[] body) {
        var row = new Row(body);
        var origin = new Origin(
                row.string("submitted_by"),
                row.string("agent"),
                row.string("amount"),
                Trace.ofText(row.string("trace")),
                row.string("request_hash"),
                row.instant("created"));
        return new Payment(
                new PaymentId(row.string("id")),
                new TenantId(row.string("tenant")),
                origin,
                decision(new Row(row.object("decision"))),
                receipts(row),
                new Duplicates(row.integer("replays"), row.integer("mismatches")));
    }

    private static JsonObject encode(Decision decision) {
        return JsonObject.builder()
                .put("status", decision.status().name())
                .putString("deny_code", decision.denyCode())
                .putString("rule", decision.rule())
                .putString("policy", decision.policyHash())
                .put("event", decision.auditEventId())
                .put("by", decision.by())
                .put("at", Timestamps.micros(decision.at()))
                .build();
    }

    private static Decision decision(Row row) {
        return new Decision(
                Status.valueOf(row.string("status")),
                row.json().string("deny_code"),
                row.json().string("rule"),
                row.json().string("policy"),
                row.string("event"),
                row.string("by"),
                row.instant("at"));
    }

    private static List<JsonObject> receipts(Row row) {
        var receipts = new ArrayList<JsonObject>();
        for (var item :
                row.json().array("receipts").orElse(new JsonArray(List.of())).items()) {
            if (item instanceof JsonObject receipt) {
                receipts.add(receipt);
            }
        }
        return receipts;
    }
}
