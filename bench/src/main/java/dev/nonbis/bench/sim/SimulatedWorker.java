package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.History;
import dev.nonbis.client.Call;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import dev.nonbis.client.ProblemException;
import java.time.Duration;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A worker: takes deliveries and does them, and in bad weather stops, dies, reports twice, reports late, or reports something else. */
final class SimulatedWorker implements Runnable {

    private static final String[] TOPICS = {"job.default", "job.fragile", "job.hold", "job.review", "job.step"};

    private final Stage stage;
    private final String tenant;
    private final String name;
    private final Chance chance;
    private final NonbisClient client;
    private int generation;

    SimulatedWorker(Stage stage, String tenant, String name) {
        this.stage = stage;
        this.tenant = tenant;
        this.name = name;
        this.chance = stage.chance();
        this.client = stage.client(tenant, "wanda");
    }

    @Override
    public void run() {
        while (true) {
            stage.sleep(Duration.ofSeconds(stage.weather().isClear() ? 12 : 32), chance);
            try {
                var poll = body();
                poll.put("max", 1 + chance.below(4));
                poll.put("wait_ms", 0);
                var topics = poll.putArray("topics");
                for (var topic : TOPICS) {
                    topics.add(topic);
                }
                var deliveries =
                        client.call(Call.command("/api/v1/worker/poll", poll)).body();
                String worker = worker();
                deliveries.path("deliveries").forEach(delivery -> stage.flows().start(() -> work(delivery, worker)));
            } catch (NonbisException e) {
                // Nothing was taken, or what was taken comes back.
            }
            if (bad(0.01, () -> worker() + " dies and comes back under another name")) {
                generation++;
            }
        }
    }

    private void work(JsonNode delivery, String worker) {
        stage.sleep(Duration.ofMillis(50), chance);
        var id = delivery.path("job_id").asString();
        int fence = delivery.path("fence").asInt();
        if (bad(0.05, () -> worker + " dies before it starts " + id) || !said(id, "start", call(worker, fence))) {
            return;
        }
        if (bad(0.03, () -> worker + " starts " + id + " twice")) {
            said(id, "start", call(worker, fence));
        }
        stage.history()
                .effect(new History.Effect(
                        tenant,
                        id,
                        fence,
                        worker,
                        delivery.path("idempotency_key").asString(),
                        stage.agenda().micros()));
        if (bad(0.07, () -> worker + " dies with " + id + " done and nothing said")) {
            return;
        }
        for (int i = chance.below(3); i > 0; i--) {
            stage.sleep(Duration.ofSeconds(15), chance);
            said(id, "heartbeat", call(worker, fence));
        }
        stage.sleep(
                bad(0.1, () -> worker + " stops in the middle of " + id)
                        ? Duration.ofMinutes(3)
                        : Duration.ofSeconds(8),
                chance);
        report(id, worker, fence);
    }

    private void report(String id, String worker, int fence) {
        var result = result(worker, fence);
        if (bad(0.1, () -> worker + " reports " + id + " twice at once")) {
            stage.flows().start(() -> said(id, "result", result));
        }
        said(id, "result", result);
        if (bad(0.08, () -> worker + " will report " + id + " again, late")) {
            stage.sleep(Duration.ofMinutes(2), chance);
            said(id, "result", chance.of(0.5) ? result : result(worker, fence));
        }
    }

    private ObjectNode result(String worker, int fence) {
        var result = call(worker, fence);
        int draw = chance.below(100);
        result.put("status", draw < 75 ? "succeeded" : draw < 88 ? "failed" : "retryable");
        result.putObject("output").put("n", chance.below(3));
        return result;
    }

    /** Says it until the server has it or does not want it; whether the server took it. */
    private boolean said(String id, String verb, ObjectNode body) {
        for (int i = 0; i < 4; i++) {
            try {
                client.call(Call.command("/api/v1/jobs/" + id + "/" + verb, body));
                return true;
            } catch (ProblemException refused) {
                return false;
            } catch (NonbisException e) {
                stage.sleep(Duration.ofSeconds(10), chance);
            }
        }
        return false;
    }

    private boolean bad(double probability, Supplier<String> what) {
        boolean happens = !stage.weather().isClear() && chance.of(probability);
        if (happens) {
            stage.trace().tell(() -> tenant + "/" + what.get());
        }
        return happens;
    }

    private String worker() {
        return name + "-" + generation;
    }

    private ObjectNode body() {
        return JsonMapper.shared().createObjectNode().put("worker_id", worker());
    }

    private static ObjectNode call(String worker, int fence) {
        return JsonMapper.shared().createObjectNode().put("worker_id", worker).put("fence", fence);
    }
}
