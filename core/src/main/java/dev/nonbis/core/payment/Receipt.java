package dev.nonbis.core.payment;

import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.payment.Payment.Decision;
import dev.nonbis.core.payment.Payment.Origin;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.Optional;

/** What proves a decision to those who cannot ask us. */
public final class Receipt {

    /** Names what was signed, so that a signature on one kind of thing can never pass for one on another. */
    public static final String TYPE = "nonbis.payment_receipt.v1";

    private Receipt() {}

    /** The members of a receipt, before it is signed. */
    public static JsonObject unsigned(TenantId tenant, PaymentId id, Origin origin, Decision decision) {
        var json = JsonObject.builder().put("type", TYPE).put("tenant", tenant.value());
        outcome(json, id, origin, decision);
        return json.put("agent_id", origin.agentId())
                .put(
                        "amount",
                        JsonObject.builder()
                                .put("value", origin.amountUsd())
                                .put("currency", "USD")
                                .build())
                .put("decided_by", decision.by())
                .put("decided_at", Timestamps.format(decision.at()))
                .build();
    }

    /** The members that answer and receipt have in common. */
    public static void outcome(JsonObject.Builder json, PaymentId id, Origin origin, Decision decision) {
        json.put("payment_id", id.value())
                .put("status", decision.status().word())
                .put("decision", decision.status().decision())
                .put("deny_code", orNull(decision.denyCode()))
                .put("matched_rule_id", orNull(decision.rule()))
                .put("request_hash", origin.requestHash())
                .put("policy_hash", orNull(decision.policyHash()))
                .put("audit_event_id", decision.auditEventId());
    }

    private static JsonValue orNull(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
