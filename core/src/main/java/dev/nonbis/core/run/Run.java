package dev.nonbis.core.run;

import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One execution of one version of a workflow. Its input stands beside it in its admission. */
public record Run(
        RunId id,
        TenantId tenant,
        Origin origin,
        RunState state,
        Map<String, StepState> steps,
        Optional<Instant> endedAt,
        Duplicates duplicates,
        Timeline timeline) {

    public Run {
        steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
    }

    /** Where it came from. */
    public record Origin(
            String workflow, int version, String startedBy, Trace trace, String requestHash, Instant createdAt) {

        public String traceId() {
            return trace.id();
        }
    }

    /** Where a run is found. */
    public record Key(TenantId tenant, RunId id) {}

    public Run withSteps(Map<String, StepState> newSteps) {
        return new Run(id, tenant, origin, state, newSteps, endedAt, duplicates, timeline);
    }

    /** The run in another state, with an entry that says so; the same run when it is there already. */
    public Run in(RunState newState, Instant at, JsonObject note) {
        if (newState == state) {
            return this;
        }
        if (!state.isActive()) {
            throw new IllegalStateException("run " + id + " has ended as " + state);
        }
        var ended = newState.isActive() ? Optional.<Instant>empty() : Optional.of(at);
        return new Run(
                id,
                tenant,
                origin,
                newState,
                steps,
                ended,
                duplicates,
                timeline.and(new TimelineEntry(at, newState.name(), note)));
    }

    public Run with(Duplicates counts, Timeline story) {
        return new Run(id, tenant, origin, state, steps, endedAt, counts, story);
    }
}
