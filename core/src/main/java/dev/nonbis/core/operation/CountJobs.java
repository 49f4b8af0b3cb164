package dev.nonbis.core.operation;

import dev.nonbis.core.job.JobState;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Adds up the tenants' counts of jobs by state. */
public final class CountJobs {

    private static final int CHUNK = 500;

    private final Store store;

    public CountJobs(Store store) {
        this.store = store;
    }

    public Map<JobState, Long> count() {
        return store.read(tx -> {
            var sums = new EnumMap<JobState, Long>(JobState.class);
            var position = Optional.<String>empty();
            while (true) {
                var chunk = tx.scan(Range.keysStartingWith(Tables.TENANTS, "")
                        .after(position)
                        .limit(CHUNK));
                chunk.forEach(hit -> hit.row().jobs().forEach((state, count) -> sums.merge(state, count, Long::sum)));
                if (chunk.size() < CHUNK) {
                    return sums;
                }
                position = Optional.of(chunk.getLast().position());
            }
        });
    }
}
