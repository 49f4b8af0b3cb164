package dev.nonbis.server.drill;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** A worker that does nothing but what a drill tells it. Each drill has a topic of its own, so that no other worker is in its way. */
final class Hands {

    private static final int MAX = 10;
    private static final String NAME = "drill";

    private final Stage stage;
    private final String topic;

    Hands(Stage stage, String topic) {
        this.stage = stage;
        this.topic = topic;
    }

    /** Work that was handed out. */
    record Held(Stage stage, String job, int fence, String worker) {

        Held as(String otherWorker) {
            return new Held(stage, job, fence, otherWorker);
        }

        ObjectNode claim() {
            return Stage.object().put("worker_id", worker).put("fence", fence);
        }

        Answer tell(String verb, ObjectNode body) {
            return stage.client().call(Call.command("/api/v1/jobs/" + job + "/" + verb, body));
        }

        String start() {
            return Stage.member("status", () -> tell("start", claim()));
        }

        String result(String status) {
            return Stage.member("status", () -> tell("result", claim().put("status", status)));
        }
    }

    /** What is handed out now. */
    List<Held> poll() {
        var body = Stage.object().put("worker_id", NAME).put("max", MAX);
        body.putArray("topics").add(topic);
        var deliveries = stage.client()
                .call(Call.command("/api/v1/worker/poll", body))
                .body()
                .path("deliveries");
        var held = new ArrayList<Held>();
        for (var delivery : deliveries) {
            held.add(new Held(
                    stage,
                    delivery.path("job_id").asString(""),
                    delivery.path("fence").asInt(),
                    NAME));
        }
        return held;
    }

    /** The job's work, once it is handed out; empty when it was waited for in vain. */
    Optional<Held> take(String job) throws InterruptedException {
        var found = new ArrayList<Held>();
        Supplier<Boolean> look =
                () -> poll().stream().filter(held -> held.job().equals(job)).anyMatch(found::add);
        stage.await(look::get);
        return found.stream().findFirst();
    }
}
