package dev.nonbis.client.worker;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;

/** One execution of one job, given to this worker. */
public final class Task {

    private final JsonNode delivery;
    private final AtomicBoolean unwanted = new AtomicBoolean();
    private final AtomicReference<Optional<String>> note = new AtomicReference<>(Optional.empty());

    Task(JsonNode delivery) {
        this.delivery = delivery;
    }

    public String jobId() {
        return delivery.path("job_id").asString();
    }

    public String topic() {
        return delivery.path("topic").asString();
    }

    public Optional<String> prompt() {
        return delivery.has("prompt") ? Optional.of(delivery.path("prompt").asString()) : Optional.empty();
    }

    /** What was asked; a missing node when nothing was. */
    public JsonNode input() {
        return delivery.path("input");
    }

    public Map<String, String> labels() {
        var labels = new LinkedHashMap<String, String>();
        delivery.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asString()));
        return labels;
    }

    /** The same for every execution of the job. Give it to whatever the handler calls, so that a repetition is recognised there. */
    public String idempotencyKey() {
        return delivery.path("idempotency_key").asString();
    }

    /**
     * The span under which the work belongs, as W3C Trace Context writes it, so that the handler's own spans join the job's trace. What
     * this worker tells the server about the task carries it too.
     */
    public Optional<String> traceparent() {
        return delivery.has("traceparent")
                ? Optional.of(delivery.path("traceparent").asString())
                : Optional.empty();
    }

    /** Which execution of the job this is, from 1. Also its fence: only the highest one's result counts. */
    public int execution() {
        return delivery.path("execution").asInt();
    }

    public Optional<Instant> deadline() {
        return delivery.has("deadline")
                ? Optional.of(Instant.parse(delivery.path("deadline").asString()))
                : Optional.empty();
    }

    /** Whether the result is of no use any more: the job was cancelled, or another worker has taken over. */
    public boolean isCancelled() {
        return unwanted.get();
    }

    /** Tells how far the work is, with the next heartbeat. */
    public void note(String text) {
        note.set(Optional.of(text));
    }

    int fence() {
        return delivery.path("fence").asInt();
    }

    void cancel() {
        unwanted.set(true);
    }

    Optional<String> takeNote() {
        return note.getAndSet(Optional.empty());
    }

    /** The note was not heard; it is told next time, unless there is a newer one. */
    void giveBack(Optional<String> unheard) {
        note.compareAndSet(Optional.empty(), unheard);
    }
}
