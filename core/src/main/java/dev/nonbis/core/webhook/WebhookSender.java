package dev.nonbis.core.webhook;

import java.time.Duration;

/** Carries one message to an address. */
@FunctionalInterface
public interface WebhookSender {

    /**
     * How long one try may take from the look-up of the host to the last byte that is read. A try is claimed for longer than this, so that
     * no other server makes the same one meanwhile.
     */
    Duration LONGEST_TRY = Duration.ofSeconds(30);

    /**
     * A message. The id stays the same however often it is sent.
     *
     * @param body what is signed and sent, byte for byte
     */
    @SuppressWarnings("ArrayRecordComponent") // Bytes are handed over, never shared or compared.
    record Message(String id, byte[] body) {}

    /** What came of it. */
    sealed interface Outcome {

        record Answered(int status) implements Outcome {}

        /** Nothing came back, or nothing was sent. */
        record Failed(String why) implements Outcome {}
    }

    /** Sends it, and returns within {@link #LONGEST_TRY}. */
    Outcome send(Webhook webhook, Message message);
}
