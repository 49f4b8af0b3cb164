package dev.nonbis.server.tracing;

import dev.nonbis.core.identity.Trace;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Optional;

/** Traces as OpenTelemetry has them, and back. */
final class Contexts {

    private static final int SPAN_DIGITS = 16;

    private Contexts() {}

    /** The span that the trace goes on from, if there is one. */
    static Optional<SpanContext> span(Trace trace) {
        return trace.parent()
                .map(parent -> SpanContext.createFromRemoteParent(
                        trace.id(),
                        parent.substring(0, SPAN_DIGITS),
                        TraceFlags.fromHex(parent, SPAN_DIGITS + 1),
                        TraceState.getDefault()));
    }

    static Context of(Trace trace) {
        return span(trace).map(span -> Context.root().with(Span.wrap(span))).orElse(Context.root());
    }

    static String traceparent(SpanContext span) {
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                + span.getTraceFlags().asHex();
    }
}
