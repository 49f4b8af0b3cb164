package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.payment.Envelope;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.payment.Payment.Decision;
import dev.nonbis.core.payment.Payment.Status;
import dev.nonbis.core.payment.PaymentRequest;
import dev.nonbis.core.payment.Receipt;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.util.Optional;

/**
 * Ends a payment that waited for a human. An approval is a human's word, not the last one: the policy and the budgets of this moment are
 * asked again, because a stop or a spent budget counts for what was asked before it too.
 */
final class DecidePayment {

    static final String REJECTED_BY_HUMAN = "approval.rejected";
    static final String EXPIRED = "approval.expired";

    private final Ports ports;

    DecidePayment(Ports ports) {
        this.ports = ports;
    }

    private record Conclusion(Optional<String> denyCode, Optional<String> policyHash, Optional<Spending> spending) {}

    void decide(Tx tx, Payment.Key key, Approval.Decision decision) {
        var payment = tx.get(Tables.PAYMENTS, key);
        var conclusion = switch (decision.kind()) {
            case APPROVED -> approved(tx, payment, decision);
            case REJECTED -> denied(payment, REJECTED_BY_HUMAN);
            case EXPIRED -> denied(payment, EXPIRED);
        };
        conclusion.spending().ifPresent(spending -> spending.spend(tx));
        var status = conclusion.denyCode().isEmpty() ? Status.APPROVED : Status.REJECTED;
        var note = Decide.note(decision)
                .put("status", status.word())
                .putString("deny_code", conclusion.denyCode())
                .put("amount_usd", payment.origin().amountUsd());
        String event = Audit.append(
                tx,
                key.tenant(),
                new AuditEvent.Draft(
                        decision.at(),
                        Decide.eventType(decision),
                        decision.by(),
                        key.id().value(),
                        Optional.of(payment.origin().requestHash()),
                        conclusion.policyHash(),
                        note.build()));
        var made = new Decision(
                status,
                conclusion.denyCode(),
                payment.decision().rule(),
                conclusion.policyHash(),
                event,
                decision.by(),
                decision.at());
        var receipt = ports.signer().sign(Receipt.unsigned(key.tenant(), key.id(), payment.origin(), made));
        tx.update(Tables.PAYMENTS, key, payment.decided(made, receipt));
    }

    private Conclusion approved(Tx tx, Payment payment, Approval.Decision decision) {
        var request = request(tx, payment);
        var ruling = ports.policy().payment(payment.tenant(), request.facts());
        var hash = ruling.ruling().policyHash();
        if (ruling.ruling().verdict() instanceof Verdict.Deny deny) {
            return new Conclusion(Optional.of(deny.code()), hash, Optional.empty());
        }
        var spending =
                new Spending(payment.tenant(), request.agentId(), request.amountUsd(), ruling.caps(), decision.at());
        return spending.exceeded(tx).isPresent()
                ? new Conclusion(Optional.of(Spending.EXCEEDED), hash, Optional.empty())
                : new Conclusion(Optional.empty(), hash, Optional.of(spending));
    }

    private static Conclusion denied(Payment payment, String code) {
        return new Conclusion(Optional.of(code), payment.decision().policyHash(), Optional.empty());
    }

    private static PaymentRequest request(Tx tx, Payment payment) {
        var admission = tx.get(
                Tables.ADMISSIONS,
                new Admission.Key(payment.tenant(), payment.id().value()));
        if (Json.parse(admission.body()) instanceof JsonObject envelope
                && Envelope.read(envelope) instanceof Envelope.Result.Valid(var request)) {
            return request;
        }
        throw new IllegalStateException("the envelope of " + payment.id() + " was taken and cannot be read");
    }
}
