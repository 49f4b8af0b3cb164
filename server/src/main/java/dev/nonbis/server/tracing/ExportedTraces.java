package dev.nonbis.server.tracing;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.approval.Approval.Decision;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.operation.DispatchListener;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.Spans;
import dev.nonbis.server.metrics.Metrics;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Traces that go to a collector. Spans wait in a bounded queue and leave on a thread of their own; what does not fit is dropped and
 * counted, and nobody else waits.
 */
public final class ExportedTraces implements Spans, Tracing, AutoCloseable {

    /** Said so often, and about so little, that they would bury the rest. */
    private static final Set<String> UNTOLD = Set.of(
            "getLiveness",
            "getReadiness",
            "getMetrics",
            "pollWork",
            "streamEvents",
            "streamEventsToPage",
            "getStyles",
            "getHtmx",
            "getConsoleScript",
            "getIcon");

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LAST_CHANCE = Duration.ofSeconds(2);

    // A collector that starts again loses nothing; one that is gone is not worth a longer wait, because the next spans
    // wait behind.
    private static final RetryPolicy RETRIES = RetryPolicy.builder()
            .setMaxAttempts(3)
            .setInitialBackoff(Duration.ofMillis(300))
            .setMaxBackoff(Duration.ofSeconds(2))
            .build();

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final InstantSource clock;

    /**
     * Where spans go, and which.
     *
     * @param samplePercent of the traces that begin here; a trace that comes from outside says for itself whether it is written
     */
    public record Settings(URI otlpUrl, Optional<String> authorization, String serviceName, int samplePercent) {}

    public ExportedTraces(Settings settings, Metrics metrics, InstantSource clock) {
        this.clock = clock;
        var exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(settings.otlpUrl().toString())
                .setConnectTimeout(LAST_CHANCE)
                .setTimeout(PATIENCE)
                .setRetryPolicy(RETRIES);
        settings.authorization().ifPresent(value -> exporter.addHeader("Authorization", value));
        var counted = new CountedExport(exporter.build(), metrics);
        var batches = BatchSpanProcessor.builder(counted)
                .setMaxQueueSize(CountedExport.MAX_WAITING)
                .setScheduleDelay(Duration.ofMillis(500))
                .setExporterTimeout(PATIENCE)
                .build();
        this.provider = SdkTracerProvider.builder()
                .setResource(Resource.builder()
                        .put("service.name", settings.serviceName())
                        .build())
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.samplePercent() / 100.0)))
                .addSpanProcessor(counted.before(batches))
                .build();
        this.tracer = provider.get("dev.nonbis");
    }

    @Override
    public Ongoing begin(Route route, Request request) {
        if (UNTOLD.contains(route.operationId())) {
            return Ongoing.UNWRITTEN;
        }
        var span = tracer.spanBuilder(request.method() + " " + route.pattern())
                .setSpanKind(SpanKind.SERVER)
                .setParent(request.trace().map(Contexts::of).orElse(Context.root()))
                .setAttribute("http.request.method", request.method())
                .setAttribute("http.route", route.pattern())
                .setAttribute("nonbis.operation", route.operationId())
                .setAttribute("nonbis.request_id", request.id())
                .startSpan();
        return new RequestSpan(span);
    }

    @Override
    public void repeats(Supplier<Optional<Trace>> original) {
        var span = Span.current();
        if (span.isRecording()) {
            original.get().flatMap(Contexts::span).ifPresent(span::addLink);
        }
    }

    /** The span of an approval is the time for which somebody had to wait for it. */
    @Override
    public void decided(Approval approval, Decision decision) {
        var subject = approval.subject();
        if (subject.trace().parent().isEmpty()) {
            return;
        }
        var request = Span.current();
        tracer.spanBuilder("approval")
                .setParent(Contexts.of(subject.trace()))
                .setStartTimestamp(approval.requestedAt())
                .addLink(request.getSpanContext())
                .setAttribute("nonbis.tenant", subject.tenant().value())
                .setAttribute("nonbis.subject", subject.id())
                .setAttribute("nonbis.decision", decision.kind().name().toLowerCase(Locale.ROOT))
                .setAttribute("nonbis.request_id", decision.requestId())
                .startSpan()
                .end(decision.at());
        Contexts.span(subject.trace()).ifPresent(request::addLink);
    }

    /** A listener that writes spans of what it hears, and passes everything on. */
    public DispatchListener before(DispatchListener next) {
        return new DispatchSpans(tracer, clock, next);
    }

    /** Sends what waits, if the collector takes it soon. */
    @Override
    public void close() {
        provider.shutdown().join(LAST_CHANCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
