package dev.nonbis.client.worker;

import dev.nonbis.client.Call;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The calls of one worker. Each may be repeated: the server knows by fence and name what it has heard. */
final class WorkerCalls implements TaskSource {

    private final NonbisClient client;
    // The next heartbeat is the repetition of this one; one that is repeated for long would hold up those of other
    // tasks.
    private final NonbisClient once;
    private final String workerId;

    WorkerCalls(NonbisClient client, String workerId) {
        this.client = client;
        this.once = client.with(RetryPolicy.NONE);
        this.workerId = workerId;
    }

    @Override
    public List<Offer> take(List<String> topics, int max, Duration wait) {
        ObjectNode body = body().put("max", max).put("wait_ms", wait.toMillis());
        var names = body.putArray("topics");
        topics.forEach(names::add);
        var offers = new ArrayList<Offer>();
        for (JsonNode delivery :
                client.call(Call.command("/api/v1/worker/poll", body)).body().path("deliveries")) {
            offers.add(new Offer(delivery, true, Receipt.NONE));
        }
        return offers;
    }

    /** Begins the execution, and says what there is to do. */
    Task start(Offer offer) {
        var offered = new Task(offer.delivery());
        ObjectNode body = about(offered);
        if (offer.isComplete()) {
            send(client, offered, "start", body);
            return offered;
        }
        return new Task(
                send(client, offered, "start", body.put("with_task", true)).path("task"));
    }

    /** Whether the server has no use for it, and has kept it if it is there. */
    boolean isBuried(Offer unreadable) {
        ObjectNode body = body();
        body.set("topic", unreadable.delivery().path("topic"));
        body.set("sequence", unreadable.delivery().path("sequence"));
        String status = client.call(Call.command("/api/v1/worker/unreadable", body))
                .body()
                .path("status")
                .asString();
        return status.equals("kept") || status.equals("gone");
    }

    /** Whether the work is still wanted. */
    boolean heartbeat(Task task, Optional<String> note) {
        ObjectNode body = about(task);
        note.ifPresent(text -> body.put("note", text));
        return !send(once, task, "heartbeat", body).path("status").asString().equals("cancelled");
    }

    /** Whether this was the first time that the server heard it: {@code recorded}, or {@code already_recorded}. */
    String result(Task task, Outcome outcome) {
        ObjectNode body = about(task).put("status", outcome.status().name().toLowerCase(Locale.ROOT));
        outcome.output().ifPresent(output -> body.set("output", output));
        outcome.error().ifPresent(error -> body.set("error", error));
        return send(client, task, "result", body).path("status").asString();
    }

    private static JsonNode send(NonbisClient through, Task about, String verb, ObjectNode body) {
        var call = Call.command("/api/v1/jobs/" + about.jobId() + "/" + verb, body);
        return through.call(about.traceparent().map(call::withTraceparent).orElse(call))
                .body();
    }

    private ObjectNode about(Task task) {
        return body().put("fence", task.fence());
    }

    private ObjectNode body() {
        return JsonMapper.shared().createObjectNode().put("worker_id", workerId);
    }
}
