package dev.nonbis.core.operation;

import dev.nonbis.core.job.JobState;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.JobCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * Adds up the tenants' counts of jobs by state. It remembers each tenant's counts and reads those again that have changed since, so that a
 * tenant without activity costs nothing. A sum that is kept in the store would be one row that every transaction of every tenant writes.
 */
public final class CountJobs {

    // Changes are found by the writer's clock, and a commit may take a while to be seen.
    private static final Duration OVERLAP = Duration.ofMinutes(2);
    // A server whose clock is further behind is caught up with then.
    private static final Duration ALL_AGAIN = Duration.ofHours(1);

    private final Ports ports;
    private final Map<String, JobCounts> known = new HashMap<>();
    private final Map<JobState, Long> sums = new EnumMap<>(JobState.class);
    private Instant looked = Instant.EPOCH;
    private Instant lookedAtAll = Instant.EPOCH;

    public CountJobs(Ports ports) {
        this.ports = ports;
    }

    /** The sums as they are now; called by one thread. */
    public Map<JobState, Long> count() {
        Instant now = ports.clock().instant();
        boolean all = now.isBefore(looked) || !now.isBefore(lookedAtAll.plus(ALL_AGAIN));
        String from = all ? "" : Tables.dueEntry(looked.minus(OVERLAP));
        AllRows.in(ports.store(), Range.entriesUpTo(Tables.TENANTS, Tables.TENANTS_BY_CHANGE, from, "~"))
                .forEach(hit -> learn(hit.key(), hit.row().jobs()));
        looked = now;
        if (all) {
            lookedAtAll = now;
        }
        return new EnumMap<>(sums);
    }

    private void learn(String tenant, JobCounts counts) {
        var before = known.put(tenant, counts);
        if (before != null) {
            before.byState().forEach((state, count) -> sums.merge(state, -count, Long::sum));
        }
        counts.byState().forEach((state, count) -> sums.merge(state, count, Long::sum));
    }
}
