package dev.nonbis.core.tenant;

import dev.nonbis.core.job.JobState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * A tenant's jobs by state.
 *
 * @param changedAt the minute of the last change. Tenants are found by it, and a whole minute keeps a busy one from moving in the index with
 *     each job. It never goes back.
 */
public record JobCounts(Map<JobState, Long> byState, Instant changedAt) {

    public static final JobCounts NONE = new JobCounts(Map.of(), Instant.EPOCH);

    public JobCounts {
        byState = Collections.unmodifiableMap(byState);
    }

    public long in(JobState state) {
        return byState.getOrDefault(state, 0L);
    }

    /** One job more in a state. */
    public JobCounts entered(JobState state, Instant at) {
        return changed(state, 1, at);
    }

    /** One job less in a state. */
    public JobCounts left(JobState state, Instant at) {
        return changed(state, -1, at);
    }

    private JobCounts changed(JobState state, long change, Instant at) {
        var counts = new EnumMap<JobState, Long>(JobState.class);
        counts.putAll(byState);
        long count = counts.merge(state, change, Long::sum);
        if (count < 0) {
            throw new IllegalStateException("fewer than no jobs in " + state);
        }
        var minute = at.truncatedTo(ChronoUnit.MINUTES);
        return new JobCounts(counts, minute.isAfter(changedAt) ? minute : changedAt);
    }
}
