package dev.nonbis.server.tracing;

import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.metrics.Metrics.SpanOutcome;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An export that knows what became of every span. The library's queue would drop what does not fit without a word, so spans are counted
 * on their way in and out of it, and it is never given more than it holds.
 */
final class CountedExport implements SpanExporter {

    static final int MAX_WAITING = 8192;

    private final SpanExporter exporter;
    private final Metrics metrics;
    private final AtomicInteger waiting = new AtomicInteger();

    CountedExport(SpanExporter exporter, Metrics metrics) {
        this.exporter = exporter;
        this.metrics = metrics;
    }

    /** The way into the queue. */
    SpanProcessor before(SpanProcessor queue) {
        return new SpanProcessor() {
            @Override
            public void onStart(Context parent, ReadWriteSpan span) {}

            @Override
            public boolean isStartRequired() {
                return false;
            }

            @Override
            public void onEnd(ReadableSpan span) {
                if (!span.getSpanContext().isSampled()) {
                    return;
                }
                if (waiting.incrementAndGet() > MAX_WAITING) {
                    waiting.decrementAndGet();
                    metrics.spans(SpanOutcome.DROPPED, 1);
                    return;
                }
                queue.onEnd(span);
            }

            @Override
            public boolean isEndRequired() {
                return true;
            }

            @Override
            public CompletableResultCode shutdown() {
                return queue.shutdown();
            }

            @Override
            public CompletableResultCode forceFlush() {
                return queue.forceFlush();
            }
        };
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        waiting.addAndGet(-count);
        var result = exporter.export(spans);
        return result.whenComplete(
                () -> metrics.spans(result.isSuccess() ? SpanOutcome.EXPORTED : SpanOutcome.DROPPED, count));
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
