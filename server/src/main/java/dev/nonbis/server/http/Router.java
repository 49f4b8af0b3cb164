package dev.nonbis.server.http;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import dev.nonbis.server.logging.LogFields;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Answers every request: finds its route, checks the caller, calls the handler, and turns what goes wrong into a problem. */
public final class Router {

    /** Carried by every answer. */
    public static final String REQUEST_ID = "Nonbis-Request-Id";

    private static final Logger LOG = System.getLogger(Router.class.getName());
    private static final String UNMATCHED = "unmatched";

    /** What a router works with besides its routes. */
    public record Parts(Authenticator authenticator, Failures failures, Observer observer, Spans spans) {

        public Parts(Authenticator authenticator, Failures failures, Observer observer) {
            this(authenticator, failures, observer, Spans.NONE);
        }
    }

    private record Answer(String operationId, Request request, Response response) {}

    private final List<Route> routes;
    private final RouteTree tree;
    private final Parts parts;

    public Router(List<Route> routes, Parts parts) {
        this.routes = List.copyOf(routes);
        this.tree = new RouteTree(routes);
        this.parts = parts;
    }

    public List<Route> routes() {
        return routes;
    }

    public Response handle(Request request) {
        long startNanos = System.nanoTime();
        var answer = answer(request);
        parts.observer()
                .answered(answer.request(), answer.response(), answer.operationId(), System.nanoTime() - startNanos);
        return answer.response().with(REQUEST_ID, request.id());
    }

    private Answer answer(Request request) {
        var found = tree.find(request.path());
        if (found.isEmpty()) {
            return new Answer(UNMATCHED, request, notFound(request));
        }
        var route = method(request.method()).flatMap(found.get().node()::route);
        if (route.isEmpty()) {
            return new Answer(UNMATCHED, request, methodNotAllowed(request, found.get()));
        }
        var params = found.get().node().params(route.get().method(), found.get().values());
        var matched = params.isEmpty() ? request : request.withPathParams(params);
        var span = parts.spans().begin(route.get(), matched);
        var within = span.within(matched);
        var response = guarded(route.get(), within);
        span.end(response);
        return new Answer(route.get().operationId(), within, response);
    }

    private Response guarded(Route route, Request request) {
        try {
            return switch (route.access()) {
                case Access.Open() -> call(route, request, Optional.empty());
                case Access.AnyOf(var roles, var unknown) ->
                    switch (parts.authenticator().authenticate(request)) {
                        case Authenticator.Missing() ->
                            unauthenticated(
                                    request, Problem.of(unknown.missing(), "No credential was sent."), "Bearer");
                        case Authenticator.Invalid() ->
                            unauthenticated(
                                    request,
                                    Problem.of(unknown.invalid(), "The credential is not valid."),
                                    "Bearer error=\"invalid_token\"");
                        case Authenticator.Known(var actor) -> {
                            checkTenant(request, actor);
                            checkRoles(roles, actor);
                            yield call(route, request, Optional.of(actor));
                        }
                    };
            };
        } catch (RuntimeException failure) {
            return problem(request, problemFor(failure, request));
        }
    }

    private static Response call(Route route, Request request, Optional<Actor> caller) {
        MediaTypes.check(request, route.takes());
        return route.handler().handle(new Call(request, caller));
    }

    private static void checkTenant(Request request, Actor actor) {
        var named = request.headerValues("x-tenant-id");
        if (!named.isEmpty() && !named.equals(List.of(actor.tenant().value()))) {
            throw new Refusal(
                    Problem.of(ProblemCode.TENANT_MISMATCH, "X-Tenant-ID is not the tenant of the credential."));
        }
    }

    private static void checkRoles(Set<Role> roles, Actor actor) {
        for (var role : roles) {
            if (actor.has(role)) {
                return;
            }
        }
        var words = roles.stream().map(Role::word).sorted().toList();
        throw new Refusal(Problem.of(ProblemCode.FORBIDDEN, "None of the caller's roles allows this operation.")
                .with(JsonObject.builder()
                        .put("roles", JsonArray.ofStrings(words))
                        .build()));
    }

    private Problem problemFor(RuntimeException failure, Request request) {
        return switch (failure) {
            case Refusal refusal -> refusal.problem();
            case JsonRefused refused -> Problem.of(codeFor(refused), sentence(refused));
            default ->
                parts.failures().problemFor(failure).orElseGet(() -> {
                    var fields = LogFields.of("request_id", request.id());
                    request.trace().ifPresent(trace -> fields.and("trace_id", trace.id()));
                    fields.during(() -> LOG.log(Level.ERROR, "request " + request.id() + " failed", failure));
                    return Problem.of(
                            ProblemCode.INTERNAL_ERROR, "The server's log has the cause under this request's id.");
                });
        };
    }

    private static ProblemCode codeFor(JsonRefused refused) {
        return switch (refused.reason()) {
            case SYNTAX -> ProblemCode.MALFORMED_JSON;
            case TOO_DEEP -> ProblemCode.JSON_TOO_DEEP;
            case NOT_CANONICAL -> ProblemCode.JSON_NOT_CANONICAL;
        };
    }

    private static String sentence(JsonRefused refused) {
        return String.valueOf(refused.getMessage());
    }

    private static Response notFound(Request request) {
        return problem(request, Problem.of(ProblemCode.NOT_FOUND, "There is nothing at this path."));
    }

    private static Response methodNotAllowed(Request request, RouteTree.Found found) {
        var allow = String.join(", ", found.node().allowed());
        return problem(request, Problem.of(ProblemCode.METHOD_NOT_ALLOWED, "This path takes " + allow + "."))
                .with("Allow", allow);
    }

    private static Response unauthenticated(Request request, Problem problem, String challenge) {
        return problem(request, problem).with("WWW-Authenticate", challenge);
    }

    private static Response problem(Request request, Problem problem) {
        return Response.problem(problem, request.id());
    }

    private static Optional<Method> method(String name) {
        return switch (name) {
            case "POST" -> Optional.of(Method.POST);
            case "GET", "HEAD" -> Optional.of(Method.GET);
            case "PUT" -> Optional.of(Method.PUT);
            case "DELETE" -> Optional.of(Method.DELETE);
            default -> Optional.empty();
        };
    }
}
