package dev.nonbis.bench.sim;

import dev.nonbis.client.Call;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Settles what only a human can settle, and looks around. */
final class Operator implements Runnable {

    private final Stage stage;
    private final String tenant;
    private final Chance chance;
    private final NonbisClient client;

    Operator(Stage stage, String tenant) {
        this.stage = stage;
        this.tenant = tenant;
        this.chance = stage.chance();
        this.client = stage.client(tenant, "oscar");
    }

    @Override
    public void run() {
        while (true) {
            stage.sleep(Duration.ofSeconds(110), chance);
            try {
                resolveOne();
                if (chance.of(0.3)) {
                    retryOne();
                }
                lookAround();
            } catch (NonbisException e) {
                // Another time.
            }
        }
    }

    private void resolveOne() {
        var unknown = client.call(Call.get("/api/v1/jobs?state=UNKNOWN&limit=20"))
                .body()
                .path("items");
        if (unknown.isEmpty()) {
            return;
        }
        var id = unknown.path(chance.below(unknown.size())).path("job_id").asString();
        var body = JsonMapper.shared().createObjectNode();
        body.put("outcome", chance.pick(List.of("succeeded", "failed", "retry")));
        body.put("reason", "looked at the target");
        send(Call.command("/api/v1/jobs/" + id + "/resolve", body));
    }

    private void retryOne() {
        var letters = client.call(Call.get("/api/v1/dlq?limit=20")).body().path("items");
        if (letters.isEmpty() || !stage.isOpen()) {
            return;
        }
        var id = letters.path(chance.below(letters.size())).path("job_id").asString();
        if (chance.of(0.6)) {
            send(Call.command(
                    "/api/v1/dlq/" + id + "/retry", JsonMapper.shared().createObjectNode()));
        } else {
            JsonNode reason = JsonMapper.shared().createObjectNode().put("reason", "of no use");
            send(Call.delete("/api/v1/dlq/" + id, reason));
        }
    }

    private void lookAround() {
        if (chance.of(0.3)) {
            client.call(Call.get("/api/v1/runs?limit=1000"));
        }
        var jobs = stage.jobs(tenant);
        if (!jobs.isEmpty()) {
            send(Call.get("/api/v1/jobs/" + chance.pick(jobs)));
        }
    }

    private void send(Call call) {
        try {
            client.call(call);
        } catch (NonbisException e) {
            // Settled otherwise meanwhile, or nobody knows; the history has it.
        }
    }
}
