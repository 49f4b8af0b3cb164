package dev.nonbis.server.http;

import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.json.JsonObject;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The routes that every server has, whatever it does: health, the pages of the problems, the API description. */
public final class SystemRoutes {

    private SystemRoutes() {}

    /** What probes ask for, on either listener. */
    public static List<Route> health(Supplier<Readiness> readiness, BooleanSupplier live) {
        return List.of(
                open("/livez", "getLiveness", call -> liveness(live.getAsBoolean())),
                open("/readyz", "getReadiness", call -> readiness.get().toResponse()));
    }

    /** What a client's author reads. */
    public static List<Route> reference() {
        return List.of(
                open("/problems", "listProblems", ProblemPages::index),
                open("/problems/{code}", "getProblem", ProblemPages::page),
                open("/openapi.json", "getApiDescription", call -> ApiDescription.response()),
                open("/assets/nonbis.css", "getStyles", call -> Assets.file("nonbis.css", "text/css; charset=utf-8")));
    }

    /** What checks the signatures of receipts and checkpoints. */
    public static Route keys(PublicKeys keys) {
        return open(
                "/.well-known/nonbis-keys.json",
                "getSigningKeys",
                call -> Response.json(200, keys.toJwkSet()).with("Cache-Control", "max-age=300"));
    }

    /** Asks nothing outside the process: a store that is down is no reason to restart it. */
    private static Response liveness(boolean live) {
        var status = JsonObject.builder().put("status", live ? "live" : "not_live");
        return Response.json(live ? 200 : 503, status.build()).with("Cache-Control", "no-store");
    }

    private static Route open(String pattern, String operationId, Handler handler) {
        return new Route(Method.GET, pattern, Access.open(), operationId, handler);
    }
}
