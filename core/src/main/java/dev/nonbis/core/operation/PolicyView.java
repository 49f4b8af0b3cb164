package dev.nonbis.core.operation;

import dev.nonbis.core.job.Job;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.RunPlan;
import dev.nonbis.json.JsonObject;
import java.util.Optional;

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

    /** A job that is to be done again, as it was asked for the first time. */
    static JsonObject again(Job job, JsonObject body, Optional<String> workflow) {
        var view = JsonObject.builder();
        job(body, job.origin().submittedBy()).members().forEach(view::put);
        return view.putString("workflow", workflow)
                .putString("step", job.origin().step().map(Job.StepRef::step))
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
