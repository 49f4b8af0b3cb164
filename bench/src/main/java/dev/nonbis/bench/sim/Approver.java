package dev.nonbis.bench.sim;

import dev.nonbis.client.Call;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import java.time.Duration;
import java.util.ArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two humans who decide what waits, at times both at once, at times twice, and at times too late. */
final class Approver implements Runnable {

    private final Stage stage;
    private final Chance chance;
    private final NonbisClient bob;
    private final NonbisClient carol;

    Approver(Stage stage, String tenant) {
        this.stage = stage;
        this.chance = stage.chance();
        this.bob = stage.client(tenant, "bob");
        this.carol = stage.client(tenant, "carol");
    }

    @Override
    public void run() {
        while (true) {
            stage.sleep(Duration.ofSeconds(90), chance);
            try {
                look();
            } catch (NonbisException e) {
                // The list comes another time.
            }
        }
    }

    private void look() {
        boolean decided = chance.of(0.1);
        var list = bob.call(Call.get("/api/v1/approvals?status=" + (decided ? "decided" : "waiting") + "&limit=50"))
                .body();
        var items = new ArrayList<JsonNode>();
        list.path("items").forEach(items::add);
        if (items.isEmpty()) {
            return;
        }
        var item = chance.pick(items);
        var id = item.path("job_id").asString();
        var body = JsonMapper.shared().createObjectNode();
        if (chance.of(0.3)) {
            body.put("request_hash", item.path("request_hash").asString());
        } else if (chance.of(0.05)) {
            body.put("request_hash", "0".repeat(64));
        }
        boolean approve = chance.of(0.7);
        if (chance.of(0.4)) {
            boolean other = chance.of(0.5) ? approve : !approve;
            stage.flows().start(() -> decide(carol, id, other, body));
        }
        decide(bob, id, approve, body);
        if (chance.of(0.2)) {
            decide(carol, id, approve, body);
        }
    }

    private static void decide(NonbisClient human, String id, boolean approve, JsonNode body) {
        try {
            human.call(Call.command("/api/v1/approvals/" + id + (approve ? "/approve" : "/reject"), body));
        } catch (NonbisException e) {
            // Somebody else was quicker, or nobody knows; the history has it.
        }
    }
}
