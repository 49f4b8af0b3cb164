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
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Answers every request: finds its route, checks the caller, calls the handler, and turns what goes wrong into a problem. */
public final class Router {

    /** Carried by every answer. */
    public static final String REQUEST_ID = "Nonbis-Request-Id";

    private static final Logger LOG = System.getLogger(Router.class.getName());
    private static final String UNMATCHED = "unmatched";
    private static final String OPTIONS = "OPTIONS";

    /** The methods of RFC 9110 and RFC 5789 that a path may refuse as such; CONNECT is for proxies. */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "QUERY", "TRACE", OPTIONS);

    /** What a router works with besides its routes. */
    public record Parts(Authenticator authenticator, Failures failures, Observer observer, Spans spans) {

        public Parts(Authenticator authenticator, Failures failures, Observer observer) {
            this(authenticator, failures, observer, Spans.NONE);
        }
    }

    /** As large a body as any route takes; the listener's own limit may be lower. */
    private static final int MAX_BODY_BYTES = 1 << 20;

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

    /** Answers a request whose body is at hand. */
    public Response handle(Request request) {
        return handle(request, Incoming.whole(request));
    }

    /** Answers a request whose body is read only once its route is found and its caller is known and allowed. */
    public Response handle(Request request, Incoming incoming) {
        long startNanos = System.nanoTime();
        var answer = answer(request, incoming);
        parts.observer()
                .answered(answer.request(), answer.response(), answer.operationId(), System.nanoTime() - startNanos);
        return answer.response().with(REQUEST_ID, request.id());
    }

    private Answer answer(Request request, Incoming incoming) {
        if (!METHODS.contains(request.method())) {
            return new Answer(UNMATCHED, request, notImplemented(request));
        }
        var found = tree.find(request.path());
        if (found.isEmpty()) {
            boolean anything =
                    request.method().equals(OPTIONS) && request.path().equals("*");
            return new Answer(
                    UNMATCHED,
                    request,
                    anything ? options("GET, HEAD, POST, PUT, DELETE, OPTIONS") : notFound(request));
        }
        var route = method(request.method()).flatMap(found.get().node()::route);
        if (route.isEmpty()) {
            boolean asked = request.method().equals(OPTIONS);
            var allow = String.join(", ", found.get().node().allowed());
            return new Answer(UNMATCHED, request, asked ? options(allow) : methodNotAllowed(request, allow));
        }
        var params = found.get().node().params(route.get().method(), found.get().values());
        var matched = params.isEmpty() ? request : request.withPathParams(params);
        var span = parts.spans().begin(route.get(), matched);
        var within = span.within(matched);
        var response = guarded(route.get(), within, incoming);
        span.end(response);
        return new Answer(route.get().operationId(), within, response);
    }

    private Response guarded(Route route, Request request, Incoming incoming) {
        try {
            return switch (route.access()) {
                case Access.Open() ->
                    call(route, request.withBody(incoming.body(Route.OPEN_BODY_BYTES)), Optional.empty());
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
                            incoming.authenticated(actor);
                            checkTenant(request, actor);
                            checkRoles(roles, actor);
                            yield call(route, request.withBody(incoming.body(MAX_BODY_BYTES)), Optional.of(actor));
                        }
                    };
            };
        } catch (RuntimeException failure) {
            return problem(request, problemFor(failure, request));
        }
    }

    private static Response call(Route route, Request request, Optional<Actor> caller) {
        MediaTypes.check(request, route.takes());
        request.charge(route.answers().bytes());
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

    private static Response notImplemented(Request request) {
        return problem(request, Problem.of(ProblemCode.NOT_IMPLEMENTED, "No path of this server takes this method."));
    }

    private static Response options(String allow) {
        return new Response(204, Response.JSON, Map.of("Allow", allow), Request.NO_BODY);
    }

    private static Response methodNotAllowed(Request request, String allow) {
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
