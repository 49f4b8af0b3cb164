package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.approval.Approval.Decision;
import dev.nonbis.core.approval.Approval.Kind;
import dev.nonbis.core.approval.Approval.Remarks;
import dev.nonbis.core.approval.ApprovalRules;
import dev.nonbis.core.approval.ApprovalRules.Ruling;
import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Takes a human's word on what waits for it. The decision, the labels, the new state and the audit event are one transaction. */
public final class Decide {

    /** Tells that a human let the job through. */
    public static final String APPROVAL_GRANTED = "approval_granted";

    /** Names the message under which the bus knows the job, instead of the job's own id. */
    public static final String BUS_MESSAGE_ID = "nonbis.bus_msg_id";

    private final Ports ports;
    private final RunSteps runs;
    private final DecidePayment payments;

    public Decide(Ports ports) {
        this.ports = ports;
        this.runs = new RunSteps(ports);
        this.payments = new DecidePayment(ports);
    }

    /** One call to approve or reject. */
    public record Command(
            Actor actor,
            String requestId,
            ApprovalRules.Call call,
            String id,
            Optional<String> requestHash,
            Remarks remarks) {}

    /** How a call ended. */
    public sealed interface Result {

        record Decided(Approval approval, Decision decision) implements Result {}

        /** The same was decided before; this is that decision. */
        record Repeated(Approval approval, Decision decision) implements Result {}

        record Refused(ProblemCode code) implements Result {}

        record NothingThere() implements Result {}
    }

    /** Only a call that may decide needs the writer; what is settled never changes and is told from a read. */
    public Result decide(Command command) {
        Instant now = ports.clock().instant();
        var key = new Approval.Key(command.actor().tenant(), command.id());
        return ports.store()
                .read(tx -> settled(tx, key, command, now))
                .orElseGet(() -> ports.store().transact(reads(key), tx -> {
                    var approval = tx.get(Tables.APPROVALS, key);
                    return withoutDeciding(approval, command, now).orElseGet(() -> decided(tx, approval, command, now));
                }));
    }

    private Optional<Result> settled(ReadTx tx, Approval.Key key, Command command, Instant now) {
        var approval = tx.find(Tables.APPROVALS, key);
        return approval.isPresent()
                ? withoutDeciding(approval.get(), command, now)
                : Optional.of(withoutApproval(tx, command));
    }

    private Optional<Result> withoutDeciding(Approval approval, Command command, Instant now) {
        var caller = new ApprovalRules.Caller(
                command.actor().subject(),
                command.requestHash(),
                ports.settings().selfApproval());
        return switch (ApprovalRules.rule(approval, command.call(), caller, now)) {
            case Ruling.Refuse(var code) -> Optional.of(new Result.Refused(code));
            case Ruling.Repeat(var decision) -> Optional.of(new Result.Repeated(approval, decision));
            case Ruling.Decide() -> Optional.empty();
        };
    }

    private Result decided(Tx tx, Approval approval, Command command, Instant now) {
        var decision = new Decision(
                command.call().makes(), command.actor().subject(), now, command.requestId(), command.remarks());
        return new Result.Decided(apply(tx, approval, decision), decision);
    }

    /** Carries out a decision on what it is about. */
    Approval apply(Tx tx, Approval approval, Decision decision) {
        var decided = approval.decided(decision);
        tx.update(Tables.APPROVALS, approval.key(), decided);
        var payment = PaymentId.of(approval.subject().id());
        if (payment.isPresent()) {
            payments.decide(tx, new Payment.Key(approval.subject().tenant(), payment.get()), decision);
        } else {
            decideJob(tx, approval, decision);
        }
        return decided;
    }

    private void decideJob(Tx tx, Approval approval, Decision decision) {
        var tenant = approval.subject().tenant();
        var jobKey = new Tables.JobKey(tenant, new JobId(approval.subject().id()));
        var job = tx.get(Tables.JOBS, jobKey);
        var note = note(decision).build();
        var moved = switch (decision.kind()) {
            case APPROVED ->
                job.after(JobEvent.APPROVE, decision.at(), note)
                        .labelled(Map.of(APPROVAL_GRANTED, "true", BUS_MESSAGE_ID, "approval:" + job.id()))
                        .dueAt(Optional.of(decision.at()));
            case REJECTED -> job.after(JobEvent.REJECT, decision.at(), note);
            case EXPIRED -> job.after(JobEvent.EXPIRE, decision.at(), note);
        };
        JobRows.update(tx, job, moved);
        Audit.append(
                tx,
                tenant,
                new AuditEvent.Draft(
                        decision.at(),
                        eventType(decision),
                        decision.by(),
                        job.id().value(),
                        Optional.of(job.origin().requestHash()),
                        Optional.empty(),
                        note));
        runs.afterJob(tx, moved, decision.by(), decision.at());
    }

    static String eventType(Decision decision) {
        return "approval." + decision.kind().name().toLowerCase(Locale.ROOT);
    }

    static List<RowRef<?, ?>> reads(Approval.Key key) {
        var rows = new ArrayList<RowRef<?, ?>>();
        rows.add(Tables.APPROVALS.row(key));
        rows.add(Tables.TENANTS.row(key.tenant()));
        JobId.of(key.id()).ifPresent(id -> rows.add(Tables.JOBS.row(new Tables.JobKey(key.tenant(), id))));
        PaymentId.of(key.id()).ifPresent(id -> rows.add(Tables.PAYMENTS.row(new Payment.Key(key.tenant(), id))));
        return rows;
    }

    private static Result withoutApproval(ReadTx tx, Command command) {
        var tenant = command.actor().tenant();
        var requestHash = JobId.of(command.id())
                .flatMap(id -> tx.find(Tables.JOBS, new Tables.JobKey(tenant, id)))
                .map(job -> job.origin().requestHash())
                .or(() -> PaymentId.of(command.id())
                        .flatMap(id -> tx.find(Tables.PAYMENTS, new Payment.Key(tenant, id)))
                        .map(payment -> payment.origin().requestHash()));
        if (requestHash.isEmpty()) {
            return new Result.NothingThere();
        }
        boolean stale = command.requestHash()
                .filter(hash -> !hash.equals(requestHash.get()))
                .isPresent();
        return new Result.Refused(stale ? ProblemCode.APPROVAL_STALE_REQUEST : ProblemCode.NOT_AWAITING_APPROVAL);
    }

    /** What a human said with a decision, for the log. */
    static JsonObject.Builder note(Decision decision) {
        var note = JsonObject.builder();
        if (decision.kind() == Kind.EXPIRED) {
            note.put("expired", true);
        }
        return note.put("by", decision.by())
                .putString("reason", decision.remarks().reason())
                .putString("note", decision.remarks().note());
    }
}
