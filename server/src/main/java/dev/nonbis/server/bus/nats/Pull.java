package dev.nonbis.server.bus.nats;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks one consumer for what it has now, and waits for nothing that it has not. */
final class Pull {

    // A consumer that exists answers at once.
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    // All that one pull may bring, but never less than the largest message that the broker takes.
    private static final long MAX_BYTES = 2 << 20;
    private static final long HEADERS_BYTES = 64 << 10;
    // What servers from 2.10 say of a consumer that is gone; older ones say nothing.
    private static final int NO_RESPONDERS = 503;

    private Pull() {}

    /**
     * What a consumer gave.
     *
     * @param answered false when it did not say that this is all: there may be no consumer
     */
    record Pulled(List<Message> messages, boolean answered) {}

    static Pulled now(Connection connection, String consumer, int max) throws InterruptedException {
        String inbox = connection.createInbox();
        var answers = connection.subscribe(inbox);
        try {
            byte[] wanted = Json.write(JsonObject.builder()
                    .put("batch", max)
                    .put("no_wait", true)
                    .put("max_bytes", Math.max(MAX_BYTES, connection.getMaxPayload() + HEADERS_BYTES))
                    .build());
            connection.publish("$JS.API.CONSUMER.MSG.NEXT." + Subjects.JOBS + "." + consumer, inbox, wanted);
            var messages = new ArrayList<Message>();
            while (messages.size() < max) {
                var next = answers.nextMessage(PATIENCE);
                if (next == null || next.isStatusMessage()) {
                    return new Pulled(messages, next != null && next.getStatus().getCode() != NO_RESPONDERS);
                }
                messages.add(next);
            }
            return new Pulled(messages, true);
        } finally {
            if (answers.isActive()) {
                answers.unsubscribe();
            }
        }
    }
}
