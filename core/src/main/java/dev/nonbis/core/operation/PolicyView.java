package dev.nonbis.core.operation;

import dev.nonbis.core.job.Job;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.RunPlan;
import dev.nonbis.json.JsonObject;

/** What the conditions of a policy see. */
public final class PolicyView {

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

    /** A job as it was asked for; what is not said is left out, except that there always are an input and labels. */
    public static JsonObject job(JsonObject body, String submittedBy) {
        return JsonObject.builder()
                .putValue("topic", body.get("topic"))
                .putValue("prompt", body.get("prompt"))
                .put("input", body.get("input").orElse(JsonObject.EMPTY))
                .put("labels", body.get("labels").orElse(JsonObject.EMPTY))
                .put("submitted_by", submittedBy)
                .build();
    }
}
