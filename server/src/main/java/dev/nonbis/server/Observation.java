package dev.nonbis.server;

import dev.nonbis.core.operation.DispatchListener;
import dev.nonbis.server.api.Watching;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.http.CredentialLog;
import dev.nonbis.server.http.Observer;
import dev.nonbis.server.http.RequestLog;
import dev.nonbis.server.http.Spans;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.tracing.ExportedTraces;
import dev.nonbis.server.tracing.Tracing;
import java.time.InstantSource;
import java.util.Optional;

/** What is seen of the server besides its metrics. Without a collector there is nothing here that could cost anything. */
record Observation(Optional<ExportedTraces> traces) implements AutoCloseable {

    static Observation of(Config config, Metrics metrics, InstantSource clock) {
        return new Observation(config.observation()
                .tracing()
                .map(tracing -> new ExportedTraces(
                        new ExportedTraces.Settings(
                                tracing.otlpUrl(),
                                tracing.authorization(),
                                tracing.serviceName(),
                                tracing.samplePercent()),
                        metrics,
                        clock)));
    }

    /** Who is told of each answer. */
    static Observer observer(Config config, Metrics metrics) {
        Observer requests = switch (config.observation().logs().requests()) {
            case NONE -> metrics::answered;
            case FAILED -> RequestLog.ofFailed(metrics::answered);
            case ALL -> RequestLog.ofAll(metrics::answered);
        };
        return new CredentialLog(requests, System::nanoTime);
    }

    Spans spans() {
        return traces.<Spans>map(exported -> exported).orElse(Spans.NONE);
    }

    Watching watching(Metrics metrics) {
        return new Watching(metrics, traces.<Tracing>map(exported -> exported).orElse(Tracing.NONE));
    }

    DispatchListener before(DispatchListener listener) {
        return traces.map(exported -> exported.before(listener)).orElse(listener);
    }

    @Override
    public void close() {
        traces.ifPresent(ExportedTraces::close);
    }
}
