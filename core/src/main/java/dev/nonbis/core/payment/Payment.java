package dev.nonbis.core.payment;

import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A payment request that was taken, and every decision about it: one, or two when the first was to ask a human. Its envelope stands
 * beside it in its admission.
 *
 * <pre>
 *   auto_approved
 *   rejected
 *   requires_human ──▶ approved
 *         └──────────▶ rejected
 * </pre>
 *
 * @param receipts one signed receipt for each decision, the first one first
 */
public record Payment(
        PaymentId id,
        TenantId tenant,
        Origin origin,
        Decision decision,
        List<JsonObject> receipts,
        Duplicates duplicates) {

    public Payment {
        receipts = List.copyOf(receipts);
    }

    /** Where a payment is found. */
    public record Key(TenantId tenant, PaymentId id) {}

    /** Where it came from, and what about. */
    public record Origin(
            String submittedBy, String agentId, String amountUsd, Trace trace, String requestHash, Instant createdAt) {

        public String traceId() {
            return trace.id();
        }
    }

    /** Where a payment is. */
    public enum Status {
        AUTO_APPROVED("auto_approved", "allow"),
        REQUIRES_HUMAN("requires_human", "requires_human"),
        APPROVED("approved", "allow"),
        REJECTED("rejected", "deny");

        private final String word;
        private final String decision;

        Status(String word, String decision) {
            this.word = word;
            this.decision = decision;
        }

        public String word() {
            return word;
        }

        public static Optional<Status> of(String word) {
            return Arrays.stream(values())
                    .filter(status -> status.word.equals(word))
                    .findFirst();
        }

        /** What the policy's word for it is. */
        public String decision() {
            return decision;
        }
    }

    /** What was decided, why, by whom, and the event that tells of it. */
    public record Decision(
            Status status,
            Optional<String> denyCode,
            Optional<String> rule,
            Optional<String> policyHash,
            String auditEventId,
            String by,
            Instant at) {}

    public Key key() {
        return new Key(tenant, id);
    }

    /** The payment after a human, or nobody in time, has decided. */
    public Payment decided(Decision made, JsonObject receipt) {
        if (decision.status() != Status.REQUIRES_HUMAN) {
            throw new IllegalStateException("payment " + id + " is " + decision.status());
        }
        return new Payment(id, tenant, origin, made, List.of(receipts.getFirst(), receipt), duplicates);
    }

    public Payment with(Duplicates counted) {
        return new Payment(id, tenant, origin, decision, receipts, counted);
    }
}
