package dev.nonbis.core.operation;

import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.store.DueEntries;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Publishes what waits for a worker once more, under the same names, after the bus has lost messages. Where it had not, the bus or the
 * job's state recognises the repetition; no attempt is used up and no fence moves.
 */
public final class PublishAgain {

    private static final int BATCH = 500;

    private final DispatchPorts ports;
    private final Publishing publishing;

    public PublishAgain(DispatchPorts ports) {
        this.ports = ports;
        this.publishing = new Publishing(ports);
    }

    /** Publishes for every job that is dispatched and not started; returns for how many. */
    public int run() {
        // Names first: what is published again moves in the order that is walked here.
        var dispatched = dispatched();
        for (int from = 0; from < dispatched.size(); from += BATCH) {
            var batch = dispatched.subList(from, Math.min(dispatched.size(), from + BATCH));
            Instant now = ports.now();
            publishing.publish(ports.store().transact(rows(batch), tx -> intend(tx, batch, now)));
        }
        return dispatched.size();
    }

    private static List<Job> intend(Tx tx, List<Tables.JobKey> keys, Instant now) {
        var owed = new ArrayList<Job>();
        for (var key : keys) {
            tx.find(Tables.JOBS, key).filter(PublishAgain::isWithTheBus).ifPresent(job -> {
                var intended = Publishing.intended(job, now);
                JobRows.update(tx, job, intended);
                owed.add(intended);
            });
        }
        return owed;
    }

    // A publish that is owed all the same has somebody who pays it.
    private static boolean isWithTheBus(Job job) {
        return job.state() == JobState.DISPATCHED
                && job.progress().intent().filter(intent -> intent.published()).isPresent();
    }

    private List<Tables.JobKey> dispatched() {
        return ports.store().read(tx -> {
            var found = new ArrayList<Tables.JobKey>();
            var position = Optional.<String>empty();
            while (true) {
                var chunk = tx.scan(Range.entriesStartingWith(Tables.JOBS, Tables.JOBS_BY_WATCH, DueEntries.WATCHED)
                        .after(position)
                        .limit(BATCH));
                chunk.stream()
                        .map(Range.Hit::row)
                        .filter(PublishAgain::isWithTheBus)
                        .forEach(job -> found.add(Tables.key(job)));
                if (chunk.size() < BATCH) {
                    return found;
                }
                position = Optional.of(chunk.getLast().position());
            }
        });
    }

    private static List<RowRef<?, ?>> rows(List<Tables.JobKey> keys) {
        return keys.stream().<RowRef<?, ?>>map(Tables.JOBS::row).toList();
    }
}
