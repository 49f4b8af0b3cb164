package dev.nonbis.core.webhook;

/** Carries one message to an address. */
@FunctionalInterface
public interface WebhookSender {

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

    Outcome send(Webhook webhook, Message message);
}
