package dev.nonbis.client;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A job to be submitted, with the key it is submitted under. Immutable; each method gives a changed copy under the same key.
 *
 * <pre>{@code
 * var job = JobSubmission.to("job.refund").input(input).label("order", "4711");
 * orders.remember(job.idempotencyKey());   // before the first send
 * client.submitJob(job);
 * }</pre>
 */
public record JobSubmission(
        String topic,
        Optional<String> prompt,
        Optional<JsonNode> input,
        Map<String, String> labels,
        Optional<Duration> deadline,
        Optional<Integer> maxAttempts,
        String idempotencyKey) {

    public JobSubmission {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** A job for a topic, under a new key. */
    public static JobSubmission to(String topic) {
        return new JobSubmission(
                topic,
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                IdempotencyKeys.next());
    }

    public JobSubmission prompt(String text) {
        return new JobSubmission(topic, Optional.of(text), input, labels, deadline, maxAttempts, idempotencyKey);
    }

    public JobSubmission input(JsonNode value) {
        return new JobSubmission(topic, prompt, Optional.of(value), labels, deadline, maxAttempts, idempotencyKey);
    }

    public JobSubmission label(String name, String value) {
        var all = new LinkedHashMap<>(labels);
        all.put(name, value);
        return new JobSubmission(topic, prompt, input, all, deadline, maxAttempts, idempotencyKey);
    }

    /** How long after its submission the job is still worth doing. */
    public JobSubmission deadline(Duration within) {
        return new JobSubmission(topic, prompt, input, labels, Optional.of(within), maxAttempts, idempotencyKey);
    }

    public JobSubmission maxAttempts(int attempts) {
        return new JobSubmission(topic, prompt, input, labels, deadline, Optional.of(attempts), idempotencyKey);
    }

    public JobSubmission withKey(String key) {
        return new JobSubmission(topic, prompt, input, labels, deadline, maxAttempts, key);
    }

    /** The call that submits it. */
    public Call toCall() {
        return Call.create("/api/v1/jobs", body()).withKey(idempotencyKey);
    }

    private ObjectNode body() {
        var body = Transport.JSON.createObjectNode().put("topic", topic);
        prompt.ifPresent(text -> body.put("prompt", text));
        input.ifPresent(value -> body.set("input", value));
        if (!labels.isEmpty()) {
            labels.forEach(body.putObject("labels")::put);
        }
        deadline.ifPresent(within -> body.put("deadline_ms", within.toMillis()));
        maxAttempts.ifPresent(attempts -> body.put("max_attempts", attempts));
        return body;
    }
}
