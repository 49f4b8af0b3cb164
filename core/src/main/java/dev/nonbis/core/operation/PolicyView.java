package dev.nonbis.core.operation;

import dev.nonbis.core.job.Job;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.RunPlan;
import dev.nonbis.json.JsonObject;

/** What the conditions of a policy see. */
final class PolicyView {

    private PolicyView() {}

    static JsonObject step(Run run, Job.Spec spec, RunPlan.Start start) {
        return JsonObject.builder()
                .put("topic", spec.topic())
                .put("input", start.input())
                .put("labels", JsonObject.EMPTY)
                .put("submitted_by", run.origin().startedBy())
                .put("workflow", run.origin().workflow())
                .put("step", start.step().id())
                .build();
    }

    static JsonObject job(Submission submission, Job.Spec spec) {
        var labels = JsonObject.builder();
        spec.labels().forEach(labels::put);
        return JsonObject.builder()
                .put("topic", spec.topic())
                .putString("prompt", submission.body().string("prompt"))
                .put("input", submission.body().get("input").orElse(JsonObject.EMPTY))
                .put("labels", labels.build())
                .put("submitted_by", submission.actor().subject())
                .build();
    }
}
