package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.idempotency.Attempt;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.payment.Nonce;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.payment.Payment.Decision;
import dev.nonbis.core.payment.Payment.Status;
import dev.nonbis.core.payment.PaymentRequest;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides about a payment request: once for each key and once for each nonce, and never beyond a budget. */
public final class SubmitPayment {

    private final Ports ports;

    public SubmitPayment(Ports ports) {
        this.ports = ports;
    }

    /**
     * An expired envelope gets the answer that it got in time, if it was taken then. Anything else would tell a client that lost the
     * first answer to pay again.
     */
    public Outcome submit(Submission submission, PaymentRequest request) {
        Instant now = ports.clock().instant();
        var once = new Once(submission, Operation.PAYMENTS, ports.settings(), now);
        var outcome = once.repeated(ports.store())
                .orElseGet(
                        () -> request.isExpired(now) ? late(submission, once) : decide(submission, request, once, now));
        return outcome instanceof Outcome.Mismatched && request.isExpired(now)
                ? new Outcome.Refused(expired())
                : outcome;
    }

    /** Looks once more behind every transaction that is under way: one of them may be taking this very envelope. */
    private Outcome late(Submission submission, Once once) {
        return ports.store()
                .transact(SubmitJob.reads(submission), tx -> once.settle(tx, () -> new Attempt.Transient(expired())));
    }

    private Outcome decide(Submission submission, PaymentRequest request, Once once, Instant now) {
        var tenant = submission.actor().tenant();
        var ruling = Evaluations.ruling(ports, tenant, () -> ports.policy().payment(tenant, request.facts()));
        var spending = new Spending(tenant, request.agentId(), request.amountUsd(), ruling.caps(), now);
        var wanted = NewPayment.of(ports, submission, request, ruling.ruling(), now);
        var likely = likely(wanted, spending);
        var plan = new Plan(wanted, spending, likely.decision(), likely.receipt(ports.signer()));
        var nonceKey = new Nonce.Key(tenant, request.nonce());
        List<RowRef<?, ?>> reads = new ArrayList<>(SubmitJob.reads(submission));
        reads.add(Tables.NONCES.row(nonceKey));
        reads.addAll(spending.reads());
        return ports.store()
                .transact(
                        reads,
                        tx -> once.settle(tx, () -> {
                            var seen = tx.find(Tables.NONCES, nonceKey).filter(nonce -> nonce.isNeeded(now));
                            if (seen.isPresent()) {
                                return new Attempt.Transient(replayed(seen.get()));
                            }
                            // Stored times have microseconds: one more, so that no nonce is forgotten before its
                            // envelope has expired.
                            var neededUntil = request.acceptableUntil().plus(Duration.ofNanos(1_000));
                            tx.put(Tables.NONCES, nonceKey, new Nonce(wanted.id(), neededUntil));
                            return settle(tx, plan);
                        }));
    }

    /** What is about to happen, with the receipt for what will most likely be decided. */
    private record Plan(NewPayment wanted, Spending spending, Decision signed, JsonObject receipt) {}

    /**
     * A signature takes hundreds of microseconds of a processor. So the likely receipt is signed above the transaction, where callers
     * sign side by side; only when the budget has changed in between is another one signed inside.
     */
    private NewPayment likely(NewPayment wanted, Spending spending) {
        return wanted.status() == Status.REJECTED
                ? wanted
                : spending.foreseen(ports.store()).map(wanted::beyond).orElse(wanted);
    }

    private Attempt settle(Tx tx, Plan plan) {
        var wanted = plan.wanted();
        var exceeded = wanted.status() == Status.REJECTED
                ? Optional.<BudgetCap>empty()
                : plan.spending().exceeded(tx);
        var payment = exceeded.map(wanted::beyond).orElse(wanted);
        if (payment.status() == Status.AUTO_APPROVED) {
            plan.spending().spend(tx);
        }
        var receipt = payment.decision().equals(plan.signed()) ? plan.receipt() : payment.receipt(ports.signer());
        var made = payment.insert(tx, receipt);
        if (payment.status() == Status.REQUIRES_HUMAN) {
            askForApproval(tx, made);
        }
        return new Attempt.Settled(made.id().value(), Answers.ok(payment.answer(receipt)));
    }

    private void askForApproval(Tx tx, Payment payment) {
        var origin = payment.origin();
        var subject = new Approval.Subject(
                payment.tenant(), payment.id().value(), origin.submittedBy(), origin.requestHash(), origin.trace());
        var approval = Approval.asked(
                subject,
                origin.createdAt(),
                origin.createdAt().plus(ports.settings().approvalExpiry()),
                payment.decision().rule());
        tx.insert(Tables.APPROVALS, approval.key(), approval);
    }

    private static Problem replayed(Nonce nonce) {
        return Problem.of(ProblemCode.PROTOCOL_NONCE_REPLAY, "A payment with this nonce was taken under another key.")
                .with(JsonObject.builder()
                        .put("payment_id", nonce.payment().value())
                        .put("nonce_free_at", Timestamps.format(freeAt(nonce)))
                        .build());
    }

    /** An envelope may expire within the last minute that can be told. */
    private static Instant freeAt(Nonce nonce) {
        return nonce.neededUntil().isAfter(Timestamps.LAST) ? Timestamps.LAST : nonce.neededUntil();
    }

    /** What an envelope is refused with that came too late. */
    public static Problem expired() {
        return Problem.of(ProblemCode.PROTOCOL_APRP_EXPIRED, "The envelope's expiry is more than a minute ago.")
                .at("/expiry");
    }
}
