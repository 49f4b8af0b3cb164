package dev.nonbis.server.metrics;

import dev.nonbis.core.job.Job;
import dev.nonbis.core.operation.DispatchListener;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.server.logging.LogFields;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Counts what goes wrong on the way to a worker, and has blocked duplicates told to the job's timeline. */
public final class DispatchMetrics implements DispatchListener {

    private static final Logger LOG = System.getLogger(DispatchMetrics.class.getName());

    private final Metrics metrics;
    private final NoteDuplicates duplicates;

    public DispatchMetrics(Metrics metrics, NoteDuplicates duplicates) {
        this.metrics = metrics;
        this.duplicates = duplicates;
    }

    @Override
    public void retried(String topic, Phase phase) {
        metrics.dispatchRetried(topic, phase);
    }

    @Override
    public void rolledBack(String topic) {
        metrics.rolledBack(topic);
    }

    @Override
    public void rollbackFailed(String topic) {
        metrics.rollbackFailed(topic);
    }

    @Override
    public void unasked() {
        metrics.unasked();
    }

    @Override
    public void failed(Job job, RuntimeException why) {
        LogFields.of("job_id", job.id().value())
                .and("trace_id", job.origin().traceId())
                .during(() -> LOG.log(
                        Level.ERROR,
                        "job " + job.id() + " of " + job.tenant() + " cannot be moved and is set aside",
                        why));
    }

    @Override
    public void blocked(Job job, Layer layer, String kind) {
        var counted = switch (layer) {
            case JOB_STATE -> Metrics.Layer.JOB_STATE;
            case BROKER_WINDOW -> Metrics.Layer.BROKER_WINDOW;
            case WORKER_FENCE -> Metrics.Layer.WORKER_FENCE;
            case RESULT_RECORD -> Metrics.Layer.RESULT_RECORD;
        };
        metrics.blocked(counted, job.tenant());
        duplicates.blocked(job.tenant(), job.id().value(), layer.word(), kind);
    }
}
