package dev.nonbis.bench.sim;

import dev.nonbis.client.Call;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Somebody with every role at one tenant who has heard names of another's things, and tries them. */
final class Snoop implements Runnable {

    private final Stage stage;
    private final String victim;
    private final Chance chance;
    private final NonbisClient client;

    Snoop(Stage stage, String tenant, String victim) {
        this.stage = stage;
        this.victim = victim;
        this.chance = stage.chance();
        this.client = stage.client(tenant, "root");
    }

    @Override
    public void run() {
        while (stage.isOpen()) {
            stage.sleep(Duration.ofMinutes(2), chance);
            var jobs = stage.jobs(victim);
            var runs = stage.runs(victim);
            var payments = stage.payments(victim);
            if (!jobs.isEmpty() && !runs.isEmpty() && !payments.isEmpty()) {
                send(chance.pick(calls(chance.pick(jobs), chance.pick(runs), chance.pick(payments))));
            }
        }
    }

    private static List<Call> calls(String job, String run, String payment) {
        var nothing = JsonMapper.shared().createObjectNode();
        var worker = nothing.deepCopy().put("worker_id", "snoop").put("fence", 1);
        var result = worker.deepCopy().put("status", "succeeded");
        var word = nothing.deepCopy().put("outcome", "failed").put("reason", "none of my business");
        return List.of(
                Call.get("/api/v1/jobs/" + job),
                Call.get("/api/v1/jobs/" + job + "/timeline"),
                Call.command("/api/v1/jobs/" + job + "/cancel", nothing),
                Call.command("/api/v1/jobs/" + job + "/start", worker),
                Call.command("/api/v1/jobs/" + job + "/heartbeat", worker),
                Call.command("/api/v1/jobs/" + job + "/result", result),
                Call.command("/api/v1/jobs/" + job + "/resolve", word),
                Call.command("/api/v1/jobs/" + job + "/republish", nothing),
                Call.get("/api/v1/runs/" + run),
                Call.get("/api/v1/runs/" + run + "/timeline"),
                Call.command("/api/v1/runs/" + run + "/cancel", nothing),
                Call.get("/v1/payment-requests/" + payment),
                Call.get("/api/v1/approvals/" + job),
                Call.get("/api/v1/approvals/" + payment),
                Call.command("/api/v1/approvals/" + job + "/approve", nothing),
                Call.command("/api/v1/approvals/" + payment + "/reject", nothing),
                Call.command("/api/v1/dlq/" + job + "/retry", nothing),
                Call.delete("/api/v1/dlq/" + job, nothing));
    }

    private void send(Call call) {
        try {
            client.call(call);
        } catch (NonbisException e) {
            // As it should be.
        }
    }
}
