package dev.nonbis.server.drill;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Call;
import dev.nonbis.client.IdempotencyKeys;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisClient.KeyName;
import dev.nonbis.client.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A start that the limit refuses leaves its key free, and the same request succeeds once there is room. */
final class AdmissionDrill implements Drill {

    private static final String WORKFLOW = "drill-admission";
    private static final String TOPIC = "job.drill.admission";

    @Override
    public String name() {
        return "admission";
    }

    @Override
    public String summary() {
        return "Fill the limit of active runs, have a start refused, make room, and send the same start again.";
    }

    /** The tenant's limit as it was before. */
    private record Limit(String tenant, JsonNode max, int active) {

        Call set(Optional<Integer> runs) {
            var body = Stage.object();
            runs.ifPresentOrElse(
                    number -> body.put("max_concurrent_runs", number), () -> body.set("max_concurrent_runs", max));
            return Call.put("/api/v1/tenants/" + tenant + "/limits", body);
        }

        Call restore() {
            return set(Optional.empty());
        }
    }

    @Override
    public void run(Stage stage) throws InterruptedException {
        var client = stage.client();
        var definition = Stage.object();
        definition.putArray("steps").addObject().put("id", "work").put("topic", TOPIC);
        client.putWorkflow(WORKFLOW, definition);
        var before = limit(client);
        var runs = new ArrayList<String>();
        try {
            fill(stage, before, runs);
        } finally {
            runs.forEach(run -> stage.tidy(Stage.cancel("/api/v1/runs/" + run)));
            step(
                    stage,
                    "put the limit back",
                    String.valueOf(before.max()),
                    Stage.word(() -> client.call(before.restore()), answer -> String.valueOf(max(answer))));
        }
    }

    private void fill(Stage stage, Limit before, List<String> runs) throws InterruptedException {
        var client = stage.client();
        int room = before.active() + 1;
        step(
                stage,
                "leave room for one more run",
                String.valueOf(room),
                Stage.word(() -> client.call(before.set(Optional.of(room))), answer -> String.valueOf(max(answer))));
        var blocking = client.startRun(WORKFLOW, Stage.object());
        runs.add(blocking.runId());
        var key = new KeyName("runs", "drill-" + IdempotencyKeys.next());
        var call = NonbisClient.startRunCall(WORKFLOW, Stage.object().put("order", 1))
                .withKey(key.key());

        step(stage, "start another", "max_concurrent_runs_reached, retry same_key", refusal(client, call, runs));
        step(stage, "start it again", "max_concurrent_runs_reached, retry same_key", refusal(client, call, runs));
        step(stage, "look its key up", "key_not_found", Stage.member("subject", () -> client.showKey(key)));
        step(stage, "end the first run", "SUCCEEDED", end(stage, blocking.runId()));

        var second = new ArrayList<String>();
        step(stage, "send the refused start again", "started", Stage.word(() -> client.call(call), answer -> {
            second.add(answer.body().path("run_id").asString(""));
            return answer.replayed() ? "replayed" : "started";
        }));
        runs.addAll(second);
        step(
                stage,
                "send it once more",
                "the same run, by idempotency_key",
                Stage.word(() -> client.call(call), answer -> same(answer, second)));
        step(
                stage,
                "look its key up",
                "the same run",
                Stage.word(() -> client.showKey(key), answer -> subject(answer, second)));
        var other = NonbisClient.startRunCall(WORKFLOW, Stage.object().put("order", 2))
                .withKey(key.key());
        step(
                stage,
                "use its key for another order",
                "idempotency_key_reused",
                Stage.member("run_id", () -> client.call(other)));
    }

    private static Limit limit(NonbisClient client) {
        // Storing the workflow left an event, so there is something to seal; the checkpoint names the tenant.
        String tenant = client.sealCheckpoint().body().path("tenant").asString("");
        var body =
                client.call(Call.get("/api/v1/tenants/" + tenant + "/limits")).body();
        return new Limit(
                tenant,
                body.path("max_concurrent_runs"),
                body.path("active_runs").asInt(0));
    }

    private static JsonNode max(Answer answer) {
        return answer.body().path("max_concurrent_runs");
    }

    private static String refusal(NonbisClient client, Call call, List<String> runs) {
        try {
            runs.add(client.call(call).body().path("run_id").asString(""));
            return "started";
        } catch (ProblemException e) {
            return e.problem().code() + ", retry " + e.problem().retry().word();
        }
    }

    private static String end(Stage stage, String run) throws InterruptedException {
        var client = stage.client();
        for (var job : client.getRun(run).body().path("jobs")) {
            var held = new Hands(stage, TOPIC).take(job.path("job_id").asString(""));
            held.ifPresent(Hands.Held::start);
            held.ifPresent(work -> work.result("succeeded"));
        }
        stage.await(() -> !Stage.member("state", () -> client.getRun(run)).equals("RUNNING"));
        return Stage.member("state", () -> client.getRun(run));
    }

    private static String same(Answer answer, List<String> runs) {
        String run = answer.body().path("run_id").asString("");
        String layer = answer.replay().map(Answer.Replay::blockedBy).orElse("nothing");
        return (runs.contains(run) ? "the same run" : "another run") + ", by " + layer;
    }

    private static String subject(Answer key, List<String> runs) {
        return runs.contains(key.body().path("subject").asString("")) ? "the same run" : "something else";
    }

    private void step(Stage stage, String what, String expected, String seen) {
        stage.add(new Step(name(), what, expected, seen));
    }
}
