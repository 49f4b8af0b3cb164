package dev.nonbis.core.operation;

import dev.nonbis.core.dispatch.Result;
import dev.nonbis.core.job.Job;
import java.util.Locale;

/** Hears what happens on the way to a worker and back, after it has happened. */
public interface DispatchListener {

    DispatchListener SILENT = new DispatchListener() {
        @Override
        public void retried(String topic, Phase phase) {}

        @Override
        public void rolledBack(String topic) {}

        @Override
        public void rollbackFailed(String topic) {}

        @Override
        public void blocked(Job job, Layer layer, String kind) {}
    };

    /** Which step has to be done again. */
    enum Phase {
        DISPATCHED_WRITE,
        PUBLISH,
        ROLLBACK_WRITE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What stops duplicates on this way. */
    enum Layer {
        JOB_STATE,
        BROKER_WINDOW,
        WORKER_FENCE,
        RESULT_RECORD;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    void retried(String topic, Phase phase);

    void rolledBack(String topic);

    void rollbackFailed(String topic);

    /** A mistake of ours or a damaged row keeps this job where it is; it is tried again later. */
    default void failed(Job job, RuntimeException why) {}

    /** The bus has the message for the job's execution. */
    default void dispatched(Job job) {}

    /** A worker's word on the execution that it had started counts; this is the job afterwards. */
    default void answered(Job job, Result.Content content) {}

    /** The bus had a message that no job of the store asked for; it is dropped. */
    default void unasked() {}

    /** A duplicate of this kind took no effect. */
    void blocked(Job job, Layer layer, String kind);
}
