package dev.nonbis.core.operation;

import dev.nonbis.core.bus.Bus.Handed;
import dev.nonbis.core.bus.Bus.Published;
import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.BusUnavailable.Fate;
import dev.nonbis.core.dispatch.Backoff;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.DispatchListener.Layer;
import dev.nonbis.core.operation.DispatchListener.Phase;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pays the publishes that dispatched jobs promise, on a bus that is not part of the store.
 *
 * <pre>
 *   intent ──publish──▶ confirmed
 *      │ failed
 *      ▼
 *   rolled back to SCHEDULED, if the intent is still the one that failed
 * </pre>
 *
 * Whoever dies or fails in between leaves an intent that is due again within {@link #TAKE_OVER}.
 */
final class Publishing {

    /** How long an intent belongs to who made it. */
    static final Duration TAKE_OVER = Duration.ofSeconds(10);

    private final DispatchPorts ports;

    Publishing(DispatchPorts ports) {
        this.ports = ports;
    }

    /** The job with an intent that is ours to pay. */
    static Job intended(Job job, Instant now) {
        return job.with(job.progress().intended()).dueAt(Optional.of(now.plus(TAKE_OVER)));
    }

    /** The job with its message known to be on the bus. */
    static Job published(Job job, Duration dispatchTimeout, Instant now) {
        return job.with(job.progress().published()).dueAt(Optional.of(now.plus(dispatchTimeout)));
    }

    void publish(List<Job> intended) {
        if (intended.isEmpty()) {
            return;
        }
        var confirmed = new ArrayList<Job>();
        var handed = ports.bus().publishAll(intended.stream().map(Message::of).toList());
        for (int i = 0; i < intended.size(); i++) {
            var job = intended.get(i);
            switch (handed.get(i)) {
                case Handed.Taken(var published) -> {
                    if (published == Published.DUPLICATE) {
                        ports.listener().blocked(job, Layer.BROKER_WINDOW, "publish");
                    }
                    confirmed.add(job);
                    ports.listener().dispatched(job);
                }
                case Handed.Failed(var why) -> {
                    ports.listener().retried(job.spec().topic(), Phase.PUBLISH);
                    rollBack(job, why);
                }
                case Handed.Broken(var mistake) -> {
                    // Ours or a library's: the bus may have it, and the jobs behind it must not wait for us to know.
                    ports.listener().failed(job, mistake);
                    ports.listener().retried(job.spec().topic(), Phase.PUBLISH);
                    rollBack(job, new BusUnavailable(Fate.UNKNOWN, mistake.toString(), mistake));
                }
            }
        }
        if (!confirmed.isEmpty()) {
            confirm(confirmed);
        }
    }

    private void confirm(List<Job> jobs) {
        Instant now = ports.now();
        ports.store().transact(rows(jobs), tx -> {
            for (var job : jobs) {
                stillOwed(tx, job).ifPresent(owed -> {
                    var timeout = ports.topics().of(owed.spec().topic()).dispatchTimeout();
                    JobRows.update(tx, owed, published(owed, timeout, now));
                });
            }
            return jobs;
        });
    }

    private void rollBack(Job job, BusUnavailable why) {
        String topic = job.spec().topic();
        Instant now = ports.now();
        int failuresBefore = job.progress().counts().failedPublishes();
        Instant retryAt = now.plus(Backoff.after(failuresBefore, job.id()));
        var note = JsonObject.builder()
                .put("phase", Phase.PUBLISH.word())
                .put("error", String.valueOf(why.getMessage()))
                .build();
        try {
            boolean rolledBack = ports.store().transact(rows(List.of(job)), tx -> {
                var owed = stillOwed(tx, job);
                owed.ifPresent(o -> JobRows.update(
                        tx,
                        o,
                        o.with(o.progress().publishFailed(why.fate() == Fate.UNKNOWN))
                                .after(JobEvent.ROLL_BACK, now, note)
                                .dueAt(Optional.of(retryAt))));
                return owed.isPresent();
            });
            if (rolledBack) {
                ports.listener().rolledBack(topic);
            }
        } catch (StoreUnavailable e) {
            // The intent stays and is due again soon, here or on another server.
            ports.listener().rollbackFailed(topic);
            ports.listener().retried(topic, Phase.ROLLBACK_WRITE);
        }
    }

    // The intent is compared, so that nothing newer is undone or confirmed.
    private static Optional<Job> stillOwed(Tx tx, Job job) {
        return tx.find(Tables.JOBS, Tables.key(job))
                .filter(now -> now.state() == JobState.DISPATCHED
                        && now.progress().intent().equals(job.progress().intent()));
    }

    private static List<RowRef<?, ?>> rows(List<Job> jobs) {
        var rows = new ArrayList<RowRef<?, ?>>();
        for (var job : jobs) {
            rows.add(Tables.JOBS.row(Tables.key(job)));
            rows.add(Tables.TENANTS.row(job.tenant()));
        }
        return rows;
    }
}
