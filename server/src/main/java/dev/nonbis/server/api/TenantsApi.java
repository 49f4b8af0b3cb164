package dev.nonbis.server.api;

import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.SetRunLimit;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import java.util.Optional;
import java.util.Set;

/** Limits of tenants over HTTP. A credential sees its own tenant only. */
final class TenantsApi {

    private static final String LIMIT = "max_concurrent_runs";

    private final Ports ports;
    private final SetRunLimit setRunLimit;

    TenantsApi(Ports ports) {
        this.ports = ports;
        this.setRunLimit = new SetRunLimit(ports);
    }

    Response putLimits(Call call) {
        checkOwn(call);
        var body = Body.object(call, Set.of(LIMIT));
        var value = body.value(LIMIT)
                .orElseThrow(() ->
                        Refusal.at("/" + LIMIT, ProblemCode.MISSING_FIELD, "The field " + LIMIT + " is required."));
        var limit = value instanceof JsonNull
                ? Optional.<Integer>empty()
                : body.optionalInteger(LIMIT, 0, 1_000_000).map(Long::intValue);
        return limits(call, setRunLimit.set(call.actor(), limit));
    }

    Response getLimits(Call call) {
        checkOwn(call);
        return limits(
                call,
                ports.store()
                        .read(tx -> tx.find(Tables.TENANTS, call.actor().tenant()))
                        .orElse(TenantState.NEW));
    }

    private Response limits(Call call, TenantState state) {
        var tenant = call.actor().tenant();
        var limit = state.runLimit().isPresent()
                ? state.runLimit().get().maxConcurrentRuns()
                : Optional.ofNullable(ports.settings().maxConcurrentRuns().get(tenant));
        return Response.json(
                200,
                JsonObject.builder()
                        .put("tenant", tenant.value())
                        .put(LIMIT, limit.<JsonValue>map(n -> new JsonNumber(n)).orElse(JsonNull.NULL))
                        .put("active_runs", state.activeRuns())
                        .build());
    }

    private static void checkOwn(Call call) {
        if (!call.actor().tenant().value().equals(call.request().pathParam("tenant"))) {
            throw new Refusal(Problem.of(ProblemCode.TENANT_NOT_FOUND, "There is no such tenant."));
        }
    }
}
