package dev.nonbis.server.tracing;

import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.dispatch.Result;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.core.operation.DispatchListener;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/** The way to a worker and back as spans under the one that made the job: how long it waited for the bus, how long the work took. */
final class DispatchSpans implements DispatchListener {

    private static final Set<String> WAITING = Set.of(JobState.PENDING.name(), JobState.SCHEDULED.name());

    private final Tracer tracer;
    private final InstantSource clock;
    private final DispatchListener next;

    DispatchSpans(Tracer tracer, InstantSource clock, DispatchListener next) {
        this.tracer = tracer;
        this.clock = clock;
        this.next = next;
    }

    @Override
    public void unasked() {
        next.unasked();
    }

    @Override
    public void dispatched(Job job) {
        next.dispatched(job);
        if (job.origin().trace().parent().isEmpty()) {
            return;
        }
        // The entry that the wait began with: the first of those since the job was last anything else.
        var since =
                last(job, WAITING).map(TimelineEntry::at).orElse(job.origin().createdAt());
        span(job, "dispatch", SpanKind.PRODUCER, since)
                .setAttribute("nonbis.execution", job.progress().execution())
                .setAttribute("messaging.message.id", MessageId.request(job).value())
                .startSpan()
                .end(clock.instant());
    }

    @Override
    public void answered(Job job, Result.Content content) {
        next.answered(job, content);
        if (job.origin().trace().parent().isEmpty()) {
            return;
        }
        var started = last(job, Set.of(JobState.RUNNING.name()));
        var builder = span(
                        job,
                        "execute",
                        SpanKind.CONSUMER,
                        started.map(TimelineEntry::at).orElseGet(clock::instant))
                .setAttribute("nonbis.result", content.status().word());
        started.ifPresent(entry -> {
            entry.data().string("worker").ifPresent(worker -> builder.setAttribute("nonbis.worker", worker));
            entry.data().integer("fence").ifPresent(fence -> builder.setAttribute("nonbis.execution", fence));
        });
        var span = builder.startSpan();
        if (content.status() != Result.Status.SUCCEEDED) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end(clock.instant());
    }

    private SpanBuilder span(Job job, String verb, SpanKind kind, Instant since) {
        return tracer.spanBuilder(verb + " " + job.spec().topic())
                .setSpanKind(kind)
                .setParent(Contexts.of(job.origin().trace()))
                .setStartTimestamp(since)
                .setAttribute("nonbis.tenant", job.tenant().value())
                .setAttribute("nonbis.job_id", job.id().value());
    }

    private static Optional<TimelineEntry> last(Job job, Set<String> types) {
        var entries = job.timeline().entries();
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (types.contains(entries.get(i).type())) {
                while (i > 0 && types.contains(entries.get(i - 1).type())) {
                    i--;
                }
                return Optional.of(entries.get(i));
            }
        }
        return Optional.empty();
    }

    @Override
    public void retried(String topic, Phase phase) {
        next.retried(topic, phase);
    }

    @Override
    public void rolledBack(String topic) {
        next.rolledBack(topic);
    }

    @Override
    public void rollbackFailed(String topic) {
        next.rollbackFailed(topic);
    }

    @Override
    public void failed(Job job, RuntimeException why) {
        next.failed(job, why);
    }

    @Override
    public void blocked(Job job, Layer layer, String kind) {
        next.blocked(job, layer, kind);
    }
}
