package dev.nonbis.server.api;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.approval.Approval.Decision;
import dev.nonbis.core.approval.Approval.Remarks;
import dev.nonbis.core.approval.ApprovalRules;
import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.operation.Admissions;
import dev.nonbis.core.operation.Decide;
import dev.nonbis.core.operation.ListApprovals;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonText;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.metrics.Metrics.DecisionOutcome;
import dev.nonbis.server.metrics.Metrics.Layer;
import dev.nonbis.server.tracing.Tracing;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Human decisions over HTTP. */
final class ApprovalsApi {

    private final Ports ports;
    private final NoteDuplicates duplicates;
    private final Metrics metrics;
    private final Tracing tracing;
    private final Decide decide;
    private final ListApprovals listApprovals;

    ApprovalsApi(Ports ports, NoteDuplicates duplicates, Watching watching) {
        this.ports = ports;
        this.duplicates = duplicates;
        this.metrics = watching.metrics();
        this.tracing = watching.tracing();
        this.decide = new Decide(ports);
        this.listApprovals = new ListApprovals(ports.store());
    }

    Response approve(Call call) {
        return decide(call, ApprovalRules.Call.APPROVE);
    }

    Response reject(Call call) {
        return decide(call, ApprovalRules.Call.REJECT);
    }

    Response list(Call call) {
        var query = Query.of(call, Set.of("status", "after", "limit"));
        var status = switch (query.string("status").orElse("waiting")) {
            case "waiting" -> Approval.Status.WAITING;
            case "decided" -> Approval.Status.DECIDED;
            default -> throw Query.invalid("status", "Expected waiting or decided.");
        };
        int limit = query.integer("limit", 1, Limits.MAX_PAGE, Limits.PAGE);
        var page = listApprovals.list(call.actor().tenant(), status, query.string("after"), limit);
        return Views.page(page, approval -> Views.approval(approval).build());
    }

    Response get(Call call) {
        var key = new Approval.Key(call.actor().tenant(), call.request().pathParam("id"));
        return ports.store()
                .read(tx -> tx.find(Tables.APPROVALS, key).map(approval -> whole(tx, approval)))
                .orElseThrow(ApprovalsApi::notFound);
    }

    private Response decide(Call call, ApprovalRules.Call decision) {
        var body = Body.optionalObject(call, Set.of("reason", "note", "request_hash"));
        var remarks = new Remarks(Limits.remark(body, "reason"), Limits.remark(body, "note"));
        var command = new Decide.Command(
                call.actor(),
                call.request().id(),
                decision,
                call.request().pathParam("id"),
                body.optionalString("request_hash"),
                remarks);
        return switch (decide.decide(command)) {
            case Decide.Result.Decided(var approval, var made) -> {
                metrics.decision(decision, DecisionOutcome.DECIDED);
                tracing.decided(approval, made);
                yield Response.json(200, view(approval, made, ""));
            }
            case Decide.Result.Repeated(var approval, var made) -> repeated(call, decision, approval, made);
            case Decide.Result.Refused(var code) -> throw refused(decision, code);
            case Decide.Result.NothingThere() -> throw notFound();
        };
    }

    private Response repeated(Call call, ApprovalRules.Call decision, Approval approval, Decision made) {
        metrics.decision(decision, DecisionOutcome.REPLAYED);
        tracing.repeats(() -> Optional.of(approval.subject().trace()));
        metrics.blocked(Layer.APPROVAL_DECISION, call.actor().tenant());
        duplicates.blocked(
                call.actor().tenant(), approval.subject().id(), Layer.APPROVAL_DECISION.word(), word(decision));
        var answer = Response.json(200, view(approval, made, "already_"));
        return Replay.of(answer, made.requestId(), Layer.APPROVAL_DECISION);
    }

    private Refusal refused(ApprovalRules.Call decision, ProblemCode code) {
        if (code.status() == 409) {
            metrics.decision(decision, DecisionOutcome.CONFLICT);
        }
        return new Refusal(Problem.of(
                code,
                switch (code) {
                    case APPROVAL_ALREADY_APPROVED -> "This was approved; a rejection comes too late.";
                    case APPROVAL_ALREADY_REJECTED -> "This was rejected; an approval comes too late.";
                    case APPROVAL_EXPIRED -> "Nobody decided in time, so it was denied.";
                    case APPROVAL_STALE_REQUEST -> "The request_hash is not that of what waits here.";
                    case SELF_APPROVAL_DENIED -> "Who submitted it may not decide about it.";
                    default -> "There is nothing to decide here.";
                }));
    }

    /** A decision about a payment also tells what became of the payment, which budgets and policy have a say in. */
    private JsonObject view(Approval approval, Decision made, String prefix) {
        var subject = approval.subject();
        var json = Views.decision(approval, made, prefix);
        PaymentId.of(subject.id())
                .flatMap(id -> ports.store().find(Tables.PAYMENTS, new Payment.Key(subject.tenant(), id)))
                .ifPresent(payment -> json.put("payment_id", subject.id())
                        .put("payment_status", payment.decision().status().word())
                        .putString("deny_code", payment.decision().denyCode()));
        return json.build();
    }

    private static Response whole(ReadTx tx, Approval approval) {
        var tenant = approval.subject().tenant();
        var json = Views.approval(approval);
        JobId.of(approval.subject().id())
                .flatMap(id -> tx.find(Tables.JOBS, new Tables.JobKey(tenant, id)))
                .ifPresent(job -> json.put("job", Views.job(job).build()));
        PaymentId.of(approval.subject().id())
                .flatMap(id -> tx.find(Tables.PAYMENTS, new Payment.Key(tenant, id)))
                .ifPresent(payment -> json.put("payment", Views.payment(payment)));
        var text = new JsonText().putAll(json.build());
        Admissions.find(tx::find, tenant, approval.subject().id())
                .map(Admission::body)
                .ifPresent(request -> text.put("request", JsonSlice.of(request)));
        return new Response(200, Response.JSON, Map.of(), text.end());
    }

    private static String word(ApprovalRules.Call decision) {
        return decision.name().toLowerCase(Locale.ROOT);
    }

    private static Refusal notFound() {
        return new Refusal(Problem.of(ProblemCode.JOB_NOT_FOUND, "There is no such job."));
    }
}
