package dev.nonbis.bench.sim;

import dev.nonbis.client.Call;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import java.time.Duration;
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
            stage.sleep(Duration.ofMinutes(5), chance);
            var jobs = stage.jobs(victim);
            var runs = stage.runs(victim);
            if (!jobs.isEmpty() && !runs.isEmpty()) {
                send(call(chance.pick(jobs), chance.pick(runs)));
            }
        }
    }

    private Call call(String job, String run) {
        var nothing = JsonMapper.shared().createObjectNode();
        return switch (chance.below(8)) {
            case 0 -> Call.get("/api/v1/jobs/" + job);
            case 1 -> Call.get("/api/v1/jobs/" + job + "/timeline");
            case 2 -> Call.get("/api/v1/runs/" + run);
            case 3 -> Call.command("/api/v1/jobs/" + job + "/cancel", nothing);
            case 4 -> Call.command("/api/v1/runs/" + run + "/cancel", nothing);
            case 5 -> Call.command("/api/v1/approvals/" + job + "/approve", nothing);
            case 6 -> Call.command("/api/v1/dlq/" + job + "/retry", nothing);
            default ->
                Call.command(
                        "/api/v1/jobs/" + job + "/result",
                        JsonMapper.shared()
                                .createObjectNode()
                                .put("worker_id", "snoop")
                                .put("fence", 1)
                                .put("status", "succeeded"));
        };
    }

    private void send(Call call) {
        try {
            client.call(call);
        } catch (NonbisException e) {
            // As it should be.
        }
    }
}
