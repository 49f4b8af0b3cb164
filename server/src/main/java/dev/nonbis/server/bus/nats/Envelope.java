package dev.nonbis.server.bus.nats;

import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.bus.nats.Subjects.QueueName;
import io.nats.client.impl.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message as the broker carries it: a small JSON object that names the job, and headers. */
final class Envelope {

    private static final String MESSAGE_ID = "Nats-Msg-Id";
    // Longer than any that a label can make.
    private static final int MAX_ID = 4096;

    private Envelope() {}

    static byte[] body(Message message) {
        return Json.write(JsonObject.builder()
                .put("message_id", message.id().value())
                .put("tenant", message.tenant().value())
                .put("topic", message.subject())
                .put("job_id", message.job().value())
                .put("execution", message.execution())
                .put("trace_id", message.trace().id())
                .build());
    }

    static Headers headers(Message message) {
        return headers(Subjects.name(message), message.id(), message.trace());
    }

    static byte[] body(Announcement result) {
        return Json.write(JsonObject.builder()
                .put("message_id", result.id().value())
                .put("tenant", result.key().tenant().value())
                .put("topic", result.topic())
                .put("job_id", result.key().job().value())
                .put("execution", result.key().execution())
                .put("status", result.status().word())
                .put("state", result.state().name())
                .put("at", Timestamps.format(result.at()))
                .put("trace_id", result.trace().id())
                .build());
    }

    static Headers headers(Announcement result) {
        return headers(result.id().value(), result.id(), result.trace());
    }

    private static Headers headers(String name, MessageId id, Trace trace) {
        var headers = new Headers().add(MESSAGE_ID, name);
        if (!trace.id().isEmpty()) {
            headers.add("traceparent", traceparent(id, trace));
        }
        return headers;
    }

    /** Whether the message came with headers that could be read. */
    static boolean isReadable(@Nullable Headers headers) {
        return headers == null || !headers.containsKey(MalformedHeaders.MARK);
    }

    /** The message that these bytes are; empty when they are none, or speak of another queue than the one they stand in. */
    static Optional<Message> read(byte[] body, QueueName queue) {
        try {
            if (!(Json.parse(body) instanceof JsonObject json)) {
                return Optional.empty();
            }
            var id = json.string("message_id").filter(text -> !text.isEmpty() && text.length() <= MAX_ID);
            var job = json.string("job_id").flatMap(JobId::of);
            var execution = json.integer("execution").filter(n -> n > 0 && n <= Integer.MAX_VALUE);
            boolean isOurs =
                    json.string("tenant").equals(Optional.of(queue.tenant().value()))
                            && json.string("topic").equals(Optional.of(queue.topic()));
            return id.isPresent() && job.isPresent() && execution.isPresent() && isOurs
                    ? Optional.of(new Message(
                            new MessageId(id.get()),
                            queue.topic(),
                            queue.tenant(),
                            job.get(),
                            execution.get().intValue(),
                            Trace.of(json.string("trace_id").orElse(""))))
                    : Optional.empty();
        } catch (JsonRefused e) {
            return Optional.empty();
        }
    }

    // Where nobody wrote a span, the message stands for one, and for the same one however often it is published.
    private static String traceparent(MessageId id, Trace trace) {
        return trace.traceparent()
                .orElseGet(() -> "00-" + trace.id() + "-"
                        + Sha256.hex(id.value().getBytes(StandardCharsets.UTF_8))
                                .substring(0, 16) + "-01");
    }
}
