package dev.nonbis.server.http.helidon;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Router;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import org.jspecify.annotations.Nullable;

/** Answers with a problem what never becomes a request of ours: broken framing, too large a body, too long an address. */
final class TransportProblems implements DirectHandler {

    private final RequestIds ids;

    private TransportProblems(RequestIds ids) {
        this.ids = ids;
    }

    static DirectHandlers handlers(RequestIds ids) {
        var handlers = DirectHandlers.builder();
        for (var type : EventType.values()) {
            handlers.addHandler(type, new TransportProblems(ids));
        }
        return handlers.build();
    }

    /** Helidon's message is not repeated: it may quote the request. */
    @Override
    public TransportResponse handle(
            TransportRequest request,
            EventType type,
            Status status,
            ServerResponseHeaders headers,
            @Nullable String message) {
        var id = ids.next();
        var response = Response.problem(problem(tooLarge(message) ? Status.create(431) : status), id);
        return TransportResponse.builder()
                .status(Status.create(response.status()))
                .headers(headers)
                .header(HeaderNames.CONTENT_TYPE, response.contentType())
                .header(HeaderNames.create(Router.REQUEST_ID), id)
                .keepAlive(false)
                .entity(response.body())
                .build();
    }

    // Helidon answers 400 to headers that are too large, and its words are the only sign of why. HttpServerTest notices
    // when they change.
    private static boolean tooLarge(@Nullable String message) {
        return "Header size exceeded".equals(message);
    }

    static Problem problem(Status status) {
        return switch (status.code()) {
            case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE, "The body is larger than this server takes.");
            case 414 -> Problem.of(ProblemCode.URI_TOO_LONG, "The request line is longer than this server takes.");
            case 431 -> Problem.of(ProblemCode.HEADERS_TOO_LARGE, "The headers are larger than this server takes.");
            case 503 -> Problem.of(ProblemCode.OVERLOADED, "The server has too many requests at once.");
            case 500 ->
                Problem.of(ProblemCode.INTERNAL_ERROR, "The server's log has the cause under this request's id.");
            default -> Problem.of(ProblemCode.MALFORMED_REQUEST, "The request is not valid HTTP/1.1, or too large.");
        };
    }
}
