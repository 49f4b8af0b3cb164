package dev.nonbis.core.store;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.Job.Origin;
import dev.nonbis.core.job.Job.Spec;
import dev.nonbis.core.job.Job.StepRef;
import dev.nonbis.core.job.JobState;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonText;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A line about the job; two more, as they stand in a row of their own otherwise, if it keeps what was asked for. */
final class JobCodec {

    private JobCodec() {}

    static byte[] encode(Job job) {
        var json = new JsonText()
                .put("id", job.id().value())
                .put("tenant", job.tenant().value())
                .put("state", job.state().name())
                .put("topic", job.spec().topic());
        if (!job.spec().labels().isEmpty()) {
            json.put("labels", labels(job.spec().labels()));
        }
        job.spec().deadlineMs().ifPresent(ms -> json.put("deadline_ms", ms));
        job.spec().maxAttempts().ifPresent(n -> json.put("max_attempts", n));
        json.put("submitted_by", job.origin().submittedBy())
                .put("trace", job.origin().trace().text())
                .put("request_hash", job.origin().requestHash())
                .put("created", Timestamps.micros(job.origin().createdAt()));
        job.origin()
                .step()
                .ifPresent(step -> json.put("run", step.run().value()).put("step", step.step()));
        job.due().ifPresent(at -> json.put("due", Timestamps.micros(at)));
        ProgressCodec.put(json, job.progress());
        TimelineCodec.put(json, job.duplicates(), job.timeline());
        return job.origin()
                .asked()
                .map(asked -> Lines.join(json.end(), AdmissionCodec.words(asked), asked.body()))
                .orElseGet(json::end);
    }

    static Job decode(byte[] body) {
        var lines = Lines.split(body);
        var row = new Row(lines.getFirst());
        var spec = new Spec(
                row.string("topic"),
                labels(row.json().object("labels").orElse(JsonObject.EMPTY)),
                row.json().integer("deadline_ms"),
                row.json().integer("max_attempts").map(Long::intValue));
        var origin = new Origin(
                row.string("submitted_by"),
                Trace.ofText(row.string("trace")),
                row.string("request_hash"),
                row.instant("created"),
                row.json().string("run").map(run -> new StepRef(new RunId(run), row.string("step"))),
                lines.size() == 1 ? Optional.empty() : Optional.of(AdmissionCodec.of(lines.get(1), lines.get(2))));
        return new Job(
                new JobId(row.string("id")),
                new TenantId(row.string("tenant")),
                spec,
                origin,
                JobState.valueOf(row.string("state")),
                row.time("due"),
                ProgressCodec.progress(row),
                TimelineCodec.duplicates(row),
                TimelineCodec.timeline(row));
    }

    private static JsonObject labels(Map<String, String> labels) {
        var json = JsonObject.builder();
        labels.forEach(json::put);
        return json.build();
    }

    private static Map<String, String> labels(JsonObject json) {
        var labels = new LinkedHashMap<String, String>();
        json.members().forEach((name, value) -> {
            if (value instanceof JsonString text) {
                labels.put(name, text.value());
            }
        });
        return labels;
    }
}
