package dev.nonbis.core.operation;

import dev.nonbis.core.bus.Bus.Handed;
import dev.nonbis.core.bus.Bus.Published;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.operation.DispatchListener.Layer;
import dev.nonbis.core.store.Tables;
import java.util.List;

/**
 * Publishes a job's last request once more under its name, as a publisher does that never heard the answer. It changes nothing: the bus
 * recognises it, or the job's state does. Operators show with it which layer stops what.
 */
public final class RepeatPublish {

    private final DispatchPorts ports;

    public RepeatPublish(DispatchPorts ports) {
        this.ports = ports;
    }

    /** How a call ended. */
    public sealed interface Outcome {

        /** The bus took it as new. */
        record Accepted(Job job, MessageId id) implements Outcome {}

        /** The bus knew it. */
        record Duplicate(Job job, MessageId id) implements Outcome {}

        /** Nothing was ever published for it. */
        record NeverPublished(Job job) implements Outcome {}

        record BusAway(Job job, String why) implements Outcome {}

        record NoSuchJob() implements Outcome {}
    }

    public Outcome repeat(TenantId tenant, JobId id) {
        return ports.store()
                .find(Tables.JOBS, new Tables.JobKey(tenant, id))
                .map(this::repeat)
                .orElseGet(Outcome.NoSuchJob::new);
    }

    private Outcome repeat(Job job) {
        if (job.progress().execution() == 0) {
            return new Outcome.NeverPublished(job);
        }
        var message = Message.of(job);
        return switch (ports.bus().publishAll(List.of(message)).getFirst()) {
            case Handed.Taken(var published)
            when published == Published.DUPLICATE -> {
                ports.listener().blocked(job, Layer.BROKER_WINDOW, "publish");
                yield new Outcome.Duplicate(job, message.id());
            }
            case Handed.Taken taken -> new Outcome.Accepted(job, message.id());
            case Handed.Failed(var why) -> new Outcome.BusAway(job, String.valueOf(why.getMessage()));
            case Handed.Broken(var mistake) -> throw mistake;
        };
    }
}
