package dev.nonbis.core.job;

import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A piece of work and where it is.
 *
 * @param due when a loop has to look at it next; absent when only an outside event can move it
 */
public record Job(
        JobId id,
        TenantId tenant,
        Spec spec,
        Origin origin,
        JobState state,
        Optional<Instant> due,
        Progress progress,
        Duplicates duplicates,
        Timeline timeline) {

    /**
     * What the submitter decided.
     *
     * @param labels in the order in which they were sent, then those of the server; every process answers them in this order
     */
    public record Spec(
            String topic, Map<String, String> labels, Optional<Long> deadlineMs, Optional<Integer> maxAttempts) {

        public Spec {
            labels = labels.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        }
    }

    /**
     * Where it came from.
     *
     * @param asked the request itself, unless it is so large that it is kept apart
     * @param bytesApart how long the request is that is kept apart; 0 where it is here or was kept by an older server
     */
    public record Origin(
            String submittedBy,
            Trace trace,
            String requestHash,
            Instant createdAt,
            Optional<StepRef> step,
            Optional<Admission> asked,
            int bytesApart) {

        public Origin(String submittedBy, Trace trace, String requestHash, Instant createdAt, Optional<StepRef> step) {
            this(submittedBy, trace, requestHash, createdAt, step, Optional.empty(), 0);
        }

        private Origin asked(Optional<Admission> request, int apart) {
            return new Origin(submittedBy, trace, requestHash, createdAt, step, request, apart);
        }

        /** How many bytes of the request are handed out with the job. */
        public int askedBytes() {
            return asked.map(request -> request.body().length).orElse(bytesApart);
        }

        public String traceId() {
            return trace.id();
        }
    }

    /** The step of the run that this job is. */
    public record StepRef(dev.nonbis.core.identity.RunId run, String step) {}

    /** How often its request came again. */
    public record Duplicates(long replays, long mismatches) {

        public static final Duplicates NONE = new Duplicates(0, 0);

        public Duplicates plus(long moreReplays, long moreMismatches) {
            return new Duplicates(replays + moreReplays, mismatches + moreMismatches);
        }
    }

    /** The job after the event. The caller has checked that the table allows it. */
    public Job after(JobEvent event, Instant at, JsonObject note) {
        var next = Transitions.next(state, event)
                .orElseThrow(() -> new IllegalStateException("job " + id + " in " + state + " cannot " + event));
        var entry = new TimelineEntry(at, next.name(), note);
        return new Job(
                id,
                tenant,
                spec,
                origin,
                next,
                next.isTerminal() ? Optional.empty() : due,
                next == JobState.SCHEDULED ? progress.attempted() : progress,
                duplicates,
                timeline.and(entry));
    }

    /** When it is too late to begin, if the submitter said so. */
    public Optional<Instant> deadline() {
        return spec.deadlineMs().map(origin.createdAt()::plusMillis);
    }

    /** The job together with what was asked for. */
    public Job asked(Admission request) {
        return with(origin.asked(Optional.of(request), 0));
    }

    /** The job, whose request of this many bytes is kept apart. */
    public Job askedApart(int bytes) {
        return with(origin.asked(Optional.empty(), bytes));
    }

    private Job with(Origin whole) {
        return new Job(id, tenant, spec, whole, state, due, progress, duplicates, timeline);
    }

    /** The job with labels that the server sets. */
    public Job labelled(Map<String, String> more) {
        var all = new LinkedHashMap<>(spec.labels());
        // A map of constants has another order in every process.
        all.putAll(new TreeMap<>(more));
        return new Job(
                id,
                tenant,
                new Spec(spec.topic(), all, spec.deadlineMs(), spec.maxAttempts()),
                origin,
                state,
                due,
                progress,
                duplicates,
                timeline);
    }

    public Job dueAt(Optional<Instant> at) {
        return new Job(id, tenant, spec, origin, state, at, progress, duplicates, timeline);
    }

    public Job with(Progress made) {
        return new Job(id, tenant, spec, origin, state, due, made, duplicates, timeline);
    }

    /** The job with one more entry in its story that is no change of state. */
    public Job noted(TimelineEntry entry) {
        return with(duplicates, timeline.and(entry));
    }

    public Job with(Duplicates counts, Timeline story) {
        return new Job(id, tenant, spec, origin, state, due, progress, counts, story);
    }
}
