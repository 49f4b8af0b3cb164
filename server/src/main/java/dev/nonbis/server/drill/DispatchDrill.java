package dev.nonbis.server.drill;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Call;
import dev.nonbis.client.JobSubmission;
import java.util.Optional;

/** One delivery for one publish, one worker for one execution, one result for one job. */
final class DispatchDrill implements Drill {

    private static final String TOPIC = "job.drill.dispatch";

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public String summary() {
        return "Publish, start and answer a job more than once, as two workers and under an old fence.";
    }

    @Override
    public void run(Stage stage) throws InterruptedException {
        var client = stage.client();
        String job = client.submitJob(JobSubmission.to(TOPIC)).jobId();
        try {
            var hands = new Hands(stage, TOPIC);
            var first = hands.take(job);
            step(stage, "submit a job and wait for its delivery", "delivered", delivered(first));
            if (first.isPresent()) {
                once(stage, hands, first.get());
            }
        } finally {
            stage.tidy(Stage.cancel("/api/v1/jobs/" + job));
        }
    }

    private void once(Stage stage, Hands hands, Hands.Held first) throws InterruptedException {
        step(stage, "publish it again", "broker_window", republished(stage, first));
        step(stage, "start it", "started", first.start());
        step(stage, "start it again", "already_started", first.start());
        step(
                stage,
                "start it as another worker",
                "claimed_elsewhere",
                first.as("drill-other").start());
        step(stage, "ask for more work", "0 deliveries", hands.poll().size() + " deliveries");
        step(stage, "say that it has to be done again", "recorded", first.result("retryable"));

        var second = hands.take(first.job());
        step(stage, "wait for its second delivery", "delivered", delivered(second));
        if (second.isEmpty()) {
            return;
        }
        var held = second.get();
        step(stage, "compare the fences", "higher", held.fence() > first.fence() ? "higher" : "not higher");
        step(stage, "start it", "started", held.start());
        step(stage, "start it under the first fence", "stale_fence", first.start());
        step(stage, "answer", "recorded", held.result("succeeded"));
        step(stage, "answer the same again", "already_recorded", held.result("succeeded"));
        step(stage, "answer something else", "result_conflict", held.result("failed"));
        step(
                stage,
                "read its state",
                "SUCCEEDED",
                Stage.member("state", () -> stage.client().getJob(held.job())));
        step(
                stage,
                "count executions",
                "2",
                Stage.member("executions", () -> stage.client().getJob(held.job())));
    }

    private static String delivered(Optional<Hands.Held> held) {
        return held.isPresent() ? "delivered" : "not delivered";
    }

    private static String republished(Stage stage, Hands.Held held) {
        var call = Call.command("/api/v1/jobs/" + held.job() + "/republish", Stage.object());
        return Stage.word(() -> stage.client().call(call), DispatchDrill::layer);
    }

    static String layer(Answer republished) {
        String status = republished.body().path("status").asString("nothing");
        return status.equals("duplicate") ? "broker_window" : status;
    }

    private void step(Stage stage, String what, String expected, String seen) {
        stage.add(new Step(name(), what, expected, seen));
    }
}
