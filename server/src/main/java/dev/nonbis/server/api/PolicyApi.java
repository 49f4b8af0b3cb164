package dev.nonbis.server.api;

import dev.nonbis.core.operation.Evaluations;
import dev.nonbis.core.operation.PolicyView;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import java.util.HashSet;
import java.util.Set;

/** The policy over HTTP: what would happen, and why. */
final class PolicyApi {

    private static final String JOB = "job";
    private static final String PAYMENT = "payment";
    private static final String SUBMITTED_BY = "submitted_by";
    private static final Set<String> STEP = Set.of("workflow", "step");

    private final Ports ports;

    PolicyApi(Ports ports) {
        this.ports = ports;
    }

    Response explain(Call call) {
        var asked = Body.object(call, Set.of(JOB, PAYMENT));
        if (asked.has(PAYMENT) && asked.has(JOB)) {
            throw Refusal.at(asked.at(PAYMENT), ProblemCode.INVALID_FIELD, "Ask about a job or a payment, not both.");
        }
        if (asked.has(PAYMENT)) {
            var payment = PaymentsApi.request(asked.object(PAYMENT));
            var tenant = call.actor().tenant();
            var explained =
                    Evaluations.ruling(ports, tenant, () -> ports.policy().explainPayment(tenant, payment.facts()));
            return Response.json(200, explained.toJson());
        }
        var allowed = new HashSet<>(JobsApi.MEMBERS);
        allowed.addAll(STEP);
        allowed.add(SUBMITTED_BY);
        var body = Body.of(asked.object(JOB), asked.at(JOB), allowed);
        JobsApi.spec(body, call.actor());
        var by = body.optionalString(SUBMITTED_BY).orElse(call.actor().subject());
        var tenant = call.actor().tenant();
        var explained = Evaluations.ruling(ports, tenant, () -> ports.policy().explainJob(tenant, view(body, by)));
        return Response.json(200, explained.toJson());
    }

    private static JsonObject view(Body body, String submittedBy) {
        var view = JsonObject.builder();
        PolicyView.job(body.json(), submittedBy).members().forEach(view::put);
        STEP.forEach(name -> view.putString(name, body.optionalString(name)));
        return view.build();
    }
}
