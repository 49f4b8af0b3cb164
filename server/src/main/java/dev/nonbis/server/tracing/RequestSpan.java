package dev.nonbis.server.tracing;

import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Spans;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;

/** The span of a request, current on its thread until the answer is made. */
final class RequestSpan implements Spans.Ongoing {

    private final Span span;
    private final Scope current;

    @SuppressWarnings("MustBeClosedChecker") // Closed by end, which the router calls whatever the handler does.
    RequestSpan(Span span) {
        this.span = span;
        this.current = span.makeCurrent();
    }

    @Override
    public Request within(Request request) {
        return request.withHeader("traceparent", Contexts.traceparent(span.getSpanContext()));
    }

    @Override
    public void end(Response response) {
        current.close();
        span.setAttribute("http.response.status_code", response.status());
        tell(response, "Nonbis-Blocked-By", "nonbis.blocked_by");
        tell(response, "Nonbis-Original-Request", "nonbis.original_request");
        if (response.status() >= 500) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    private void tell(Response response, String header, String attribute) {
        var value = response.headers().get(header);
        if (value != null) {
            span.setAttribute(attribute, value);
        }
    }
}
