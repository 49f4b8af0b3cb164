package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.Subject;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.payment.Payment.Decision;
import dev.nonbis.core.payment.Payment.Origin;
import dev.nonbis.core.payment.Payment.Status;
import dev.nonbis.core.payment.PaymentRequest;
import dev.nonbis.core.payment.Receipt;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.policy.Policy.Ruling;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.signing.Signer;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A payment about to be recorded: what is decided about it, before and after its receipt is signed. */
record NewPayment(
        PaymentId id,
        TenantId tenant,
        Origin origin,
        PaymentRequest request,
        Decision decision,
        Optional<BudgetCap> exceeded) {

    /** Who decides when no human does. */
    static final String POLICY = Subject.system("policy");

    static NewPayment of(Ports ports, Submission submission, PaymentRequest request, Ruling ruling, Instant now) {
        var origin = new Origin(
                submission.actor().subject(),
                request.agentId(),
                request.amountUsd().toPlainString(),
                submission.traceOr(ports.ids()),
                submission.requestHash(),
                now);
        var decision = new Decision(
                status(ruling.verdict()),
                denyCode(ruling.verdict()),
                ruling.verdict().rule(),
                ruling.policyHash(),
                ports.ids().event(),
                POLICY,
                now);
        return new NewPayment(
                ports.ids().payment(), submission.actor().tenant(), origin, request, decision, Optional.empty());
    }

    Status status() {
        return decision.status();
    }

    /** The same payment, denied because it does not fit a budget. */
    NewPayment beyond(BudgetCap cap) {
        var denied = new Decision(
                Status.REJECTED,
                Optional.of(Spending.EXCEEDED),
                decision.rule(),
                decision.policyHash(),
                decision.auditEventId(),
                decision.by(),
                decision.at());
        return new NewPayment(id, tenant, origin, request, denied, Optional.of(cap));
    }

    JsonObject receipt(Signer signer) {
        return signer.sign(Receipt.unsigned(tenant, id, origin, decision));
    }

    Payment insert(Tx tx, JsonObject receipt) {
        var payment = new Payment(id, tenant, origin, decision, List.of(receipt), Duplicates.NONE);
        tx.insert(Tables.PAYMENTS, payment.key(), payment);
        Audit.append(
                tx,
                tenant,
                decision.auditEventId(),
                new AuditEvent.Draft(
                        decision.at(),
                        "payment.decided",
                        origin.submittedBy(),
                        id.value(),
                        Optional.of(origin.requestHash()),
                        decision.policyHash(),
                        auditData()));
        return payment;
    }

    JsonObject answer(JsonObject receipt) {
        var json = JsonObject.builder();
        Receipt.outcome(json, id, origin, decision);
        return json.put("receipt", receipt).build();
    }

    private JsonObject auditData() {
        var data = JsonObject.builder()
                .put("status", decision.status().word())
                .putString("deny_code", decision.denyCode())
                .putString("rule", decision.rule())
                .put("agent_id", origin.agentId())
                .put("amount_usd", origin.amountUsd())
                .put("provider_url", request.providerUrl())
                .putString("recipient", request.recipient())
                .put("nonce", request.nonce());
        exceeded.ifPresent(cap -> data.put("budget", cap.scope().word()));
        return data.build();
    }

    private static Status status(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow allow -> Status.AUTO_APPROVED;
            case Verdict.RequireApproval approval -> Status.REQUIRES_HUMAN;
            case Verdict.Deny deny -> Status.REJECTED;
            case Verdict.Throttle throttle ->
                throw new IllegalStateException("a policy cannot hold back a payment: it decides or it asks");
        };
    }

    private static Optional<String> denyCode(Verdict verdict) {
        return verdict instanceof Verdict.Deny deny ? Optional.of(deny.code()) : Optional.empty();
    }
}
