package dev.nonbis.server.drill;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Decision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** A decision that is sent again is told the first one, and the opposite is refused. */
final class ApprovalsDrill implements Drill {

    private static final String WORKFLOW = "drill-approvals";
    private static final String TOPIC = "job.drill.approvals";
    private static final int RETRIES = 5;

    @Override
    public String name() {
        return "approvals";
    }

    @Override
    public String summary() {
        return "Approve and reject, then again five times at once: the first decision stands and is told to all.";
    }

    /** A step of a run that waits for a human. */
    private record Asked(String run, String job) {}

    @Override
    public void run(Stage stage) throws InterruptedException {
        var definition = Stage.object();
        definition
                .putArray("steps")
                .addObject()
                .put("id", "ask")
                .put("topic", TOPIC)
                .put("approval", true);
        stage.client().putWorkflow(WORKFLOW, definition);
        approve(stage);
        reject(stage);
    }

    private void approve(Stage stage) throws InterruptedException {
        var asked = ask(stage);
        try {
            Supplier<Answer> approve = () -> stage.approver().approve(asked.job(), Decision.PLAIN);
            Supplier<Answer> reject = () -> stage.approver().reject(asked.job(), Decision.PLAIN);
            step(stage, "ask for something that needs a human", "APPROVAL", state(stage, asked));
            step(stage, "approve", "approved", told(stage, Stage.member("status", approve)));
            repeat(stage, "approve", approve);
            step(stage, "reject it after all", "approval_already_approved", Stage.member("status", reject));
            step(stage, "read the message's name", "approval:" + asked.job(), label(stage, asked, "nonbis.bus_msg_id"));
            step(stage, "read approval_granted", "true", label(stage, asked, "approval_granted"));
            step(stage, "let a worker do it", "recorded", work(stage, asked));
            step(
                    stage,
                    "count executions",
                    "1",
                    Stage.member("executions", () -> stage.client().getJob(asked.job())));
        } finally {
            stage.tidy(Stage.cancel("/api/v1/runs/" + asked.run()));
        }
    }

    private void reject(Stage stage) throws InterruptedException {
        var asked = ask(stage);
        try {
            Supplier<Answer> approve = () -> stage.approver().approve(asked.job(), Decision.PLAIN);
            Supplier<Answer> reject = () -> stage.approver().reject(asked.job(), Decision.PLAIN);
            step(stage, "reject another", "rejected", Stage.member("status", reject));
            repeat(stage, "reject", reject);
            step(stage, "approve it after all", "approval_already_rejected", Stage.member("status", approve));
            step(stage, "read its state", "DENIED", state(stage, asked));
        } finally {
            stage.tidy(Stage.cancel("/api/v1/runs/" + asked.run()));
        }
    }

    private void repeat(Stage stage, String verb, Supplier<Answer> call) throws InterruptedException {
        String past = verb.equals("approve") ? "approved" : "rejected";
        List<String> decisions = Collections.synchronizedList(new ArrayList<>());
        String seen = Stage.atOnce(
                RETRIES,
                () -> Stage.word(call, answer -> {
                    var body = answer.body();
                    decisions.add(body.path(past + "_by") + " " + body.path(past + "_at"));
                    return body.path("status").asString("nothing");
                }));
        step(
                stage,
                verb + " again, " + RETRIES + " at once",
                Tally.of(Collections.nCopies(RETRIES, "already_" + past)),
                seen);
        step(
                stage,
                "count the decisions that were told",
                "1",
                String.valueOf(decisions.stream().distinct().count()));
    }

    private static String told(Stage stage, String seen) {
        if (seen.equals("self_approval_denied")) {
            stage.say(
                    "nobody decides about what they asked for: give the key of somebody else with --approver-key-file");
        }
        return seen;
    }

    private static Asked ask(Stage stage) throws InterruptedException {
        String run = stage.client().startRun(WORKFLOW, Stage.object()).runId();
        var jobs = new ArrayList<String>();
        stage.await(() -> {
            for (var job : stage.client().getRun(run).body().path("jobs")) {
                jobs.add(job.path("job_id").asString(""));
            }
            return !jobs.isEmpty();
        });
        return new Asked(run, jobs.isEmpty() ? "none" : jobs.getFirst());
    }

    private static String work(Stage stage, Asked asked) throws InterruptedException {
        var held = new Hands(stage, TOPIC).take(asked.job());
        held.ifPresent(Hands.Held::start);
        return held.map(job -> job.result("succeeded")).orElse("it was not delivered");
    }

    private static String state(Stage stage, Asked asked) {
        return Stage.member("state", () -> stage.client().getJob(asked.job()));
    }

    private static String label(Stage stage, Asked asked, String name) {
        return Stage.word(
                () -> stage.client().getJob(asked.job()),
                answer -> answer.body().path("labels").path(name).asString("nothing"));
    }

    private void step(Stage stage, String what, String expected, String seen) {
        stage.add(new Step(name(), what, expected, seen));
    }
}
