package dev.nonbis.core.operation;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists a tenant's jobs, newest first. */
public final class ListJobs {

    private final Store store;

    public ListJobs(Store store) {
        this.store = store;
    }

    /**
     * Which jobs are wanted.
     *
     * @param labels texts of the form {@code name:value}; a job must have them all
     */
    public record Filter(Optional<JobState> state, Optional<String> topic, List<String> labels) {

        boolean matches(Job job) {
            return state.map(s -> s == job.state()).orElse(true)
                    && topic.map(t -> t.equals(job.spec().topic())).orElse(true)
                    && labels.stream().allMatch(label -> hasLabel(job, label));
        }

        private static boolean hasLabel(Job job, String label) {
            return job.spec().labels().entrySet().stream()
                    .anyMatch(entry -> label.equals(entry.getKey() + ":" + entry.getValue()));
        }
    }

    public Page<Job> list(TenantId tenant, Filter filter, Optional<JobId> after, int limit) {
        return Page.of(store, by(tenant, filter), after.map(id -> tenant + "/" + id), filter::matches, limit);
    }

    // What is mostly the narrowest first: a label is rarer than a state, and a state than a topic.
    private static List<Range<Job>> by(TenantId tenant, Filter filter) {
        var orders = new ArrayList<Range<Job>>();
        filter.labels().forEach(label -> orders.add(equalTo(Tables.JOBS_BY_LABEL, Tables.labelEntry(tenant, label))));
        filter.state().ifPresent(state -> orders.add(equalTo(Tables.JOBS_BY_STATE, Tables.stateEntry(tenant, state))));
        filter.topic().ifPresent(topic -> orders.add(equalTo(Tables.JOBS_BY_TOPIC, Tables.topicEntry(tenant, topic))));
        return orders.isEmpty() ? List.of(Range.keysStartingWith(Tables.JOBS, tenant + "/")) : orders;
    }

    private static Range<Job> equalTo(Index<Job> index, String entry) {
        return Range.entriesEqualTo(Tables.JOBS, index, entry);
    }
}
