package dev.nonbis.server.api;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Transitions;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The shortest way from an admitted job to each state that it can ever be in, by the table of transitions. */
final class JobWalk {

    private static final Map<JobState, List<JobEvent>> WAYS = ways();

    private JobWalk() {}

    /** Every state that a job can be in once it may run. */
    static Iterable<JobState> laterStates() {
        return WAYS.keySet();
    }

    /** Moves a job that is PENDING, in the store itself, as workers and loops would over time. */
    static void move(TestPlane plane, String jobId, JobState target) {
        var key = new Tables.JobKey(new TenantId("acme"), new JobId(jobId));
        var now = plane.clock.instant();
        plane.ports.store().transact(tx -> {
            var job = tx.get(Tables.JOBS, key);
            for (var event : WAYS.getOrDefault(target, List.of())) {
                job = job.after(event, now, JsonObject.EMPTY);
            }
            tx.update(Tables.JOBS, key, job);
            return job;
        });
    }

    private static Map<JobState, List<JobEvent>> ways() {
        var ways = new EnumMap<JobState, List<JobEvent>>(JobState.class);
        ways.put(JobState.PENDING, List.of());
        var open = new ArrayDeque<>(List.of(JobState.PENDING));
        while (!open.isEmpty()) {
            var from = open.remove();
            for (var event : JobEvent.values()) {
                Transitions.next(from, event)
                        .filter(to -> !ways.containsKey(to))
                        .ifPresent(to -> {
                            var way = new ArrayList<>(ways.getOrDefault(from, List.of()));
                            way.add(event);
                            ways.put(to, way);
                            open.add(to);
                        });
            }
        }
        return ways;
    }
}
