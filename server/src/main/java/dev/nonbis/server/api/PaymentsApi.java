package dev.nonbis.server.api;

import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.operation.ListPayments;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.ShowBudgets;
import dev.nonbis.core.operation.SubmitPayment;
import dev.nonbis.core.payment.Envelope;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.payment.PaymentRequest;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.metrics.Metrics.Layer;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;

/** Payment requests over HTTP. */
final class PaymentsApi {

    private final Ports ports;
    private final Keyed keyed;
    private final Metrics metrics;
    private final SubmitPayment submitPayment;
    private final ListPayments listPayments;
    private final ShowBudgets showBudgets;

    PaymentsApi(Ports ports, Keyed keyed, Metrics metrics) {
        this.ports = ports;
        this.keyed = keyed;
        this.metrics = metrics;
        this.submitPayment = new SubmitPayment(ports);
        this.listPayments = new ListPayments(ports.store());
        this.showBudgets = new ShowBudgets(ports);
    }

    Response submit(Call call) {
        return keyed.answer(call, Operation.PAYMENTS, this::submitNew);
    }

    private Response submitNew(Keyed.Asked asked) {
        var call = asked.call();
        var body = object(call);
        var request = request(body);
        checkAgent(call, request);
        checkExpiry(asked, request);
        keyed.check(asked);
        var submission = keyed.submission(asked, body, Map.of());
        var outcome = submitPayment.submit(submission, request);
        var response = keyed.response(asked, outcome);
        if (outcome instanceof Outcome.Refused(var problem) && problem.code() == ProblemCode.PROTOCOL_NONCE_REPLAY) {
            metrics.blocked(Layer.NONCE, call.actor().tenant());
            return response.with("Nonbis-Blocked-By", Layer.NONCE.word());
        }
        return response;
    }

    Response get(Call call) {
        return PaymentId.of(call.request().pathParam("id"))
                .flatMap(id -> ports.store()
                        .find(Tables.PAYMENTS, new Payment.Key(call.actor().tenant(), id)))
                .map(payment -> Response.json(200, Views.payment(payment)))
                .orElseThrow(() -> new Refusal(Problem.of(ProblemCode.PAYMENT_NOT_FOUND, "There is no such payment.")));
    }

    Response list(Call call) {
        var query = Query.of(call, Set.of("status", "agent", "after", "limit"));
        var status = query.string("status")
                .map(word -> Payment.Status.of(word)
                        .orElseThrow(() -> Query.invalid("status", "Expected the status of a payment.")));
        var after = query.string("after")
                .map(text ->
                        PaymentId.of(text).orElseThrow(() -> Query.invalid("after", "Expected the next of a page.")));
        int limit = query.integer("limit", 1, Limits.MAX_PAGE, Limits.PAGE);
        var filter = new ListPayments.Filter(status, query.string("agent"));
        var page = listPayments.list(call.actor().tenant(), filter, after, limit);
        return Views.page(page, payment -> Views.listedPayment(payment).build());
    }

    Response budgets(Call call) {
        String agent = call.request().pathParam("agent");
        var lines = showBudgets.show(call.actor().tenant(), agent).stream()
                .<JsonValue>map(PaymentsApi::view)
                .toList();
        return Response.json(
                200,
                JsonObject.builder()
                        .put("agent_id", agent)
                        .put("items", new JsonArray(lines))
                        .build());
    }

    /** The request that an object is, which must be whole. */
    static PaymentRequest request(JsonObject body) {
        return switch (Envelope.read(body)) {
            case Envelope.Result.Valid(var request) -> request;
            case Envelope.Result.Invalid(var code, var pointer, var why) -> throw Refusal.at(pointer, code, why);
        };
    }

    private static JsonObject object(Call call) {
        if (Json.parse(call.request().body()) instanceof JsonObject body) {
            return body;
        }
        throw Refusal.at("", ProblemCode.SCHEMA_WRONG_TYPE, "The body must be an object.");
    }

    /** A credential that is itself an agent speaks for that agent alone; any other is a gateway that may speak for all. */
    private void checkAgent(Call call, PaymentRequest request) {
        String subject = call.actor().subject();
        if (!subject.equals(request.agentId())
                && ports.policy().knowsAgent(call.actor().tenant(), subject)) {
            throw Refusal.at(
                    "/agent_id", ProblemCode.AUTH_AGENT_ID_MISMATCH, "The credential belongs to another agent.");
        }
    }

    /** The expiry comes before the key. Only a key that may have been settled in time is asked for all the same. */
    private void checkExpiry(Keyed.Asked asked, PaymentRequest request) {
        if (request.isExpired(ports.clock().instant()) && asked.key().isEmpty()) {
            throw new Refusal(SubmitPayment.expired());
        }
    }

    private static JsonObject view(ShowBudgets.Line line) {
        var cap = line.cap();
        var json = JsonObject.builder()
                .put("scope", cap.scope().word())
                .putString("provider", cap.provider())
                .putString("window", line.window())
                .put("cap_usd", cap.capUsd().toPlainString());
        line.spentUsd()
                .ifPresent(spent -> json.put("spent_usd", spent.toPlainString())
                        .put(
                                "left_usd",
                                cap.capUsd()
                                        .subtract(spent)
                                        .max(BigDecimal.ZERO)
                                        .toPlainString()));
        return json.build();
    }
}
