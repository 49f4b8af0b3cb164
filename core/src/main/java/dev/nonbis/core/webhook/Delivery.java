package dev.nonbis.core.webhook;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * How telling one event went.
 *
 * @param seq the event's place in the log
 * @param answer the last status that came back
 * @param trouble why there was none
 */
public record Delivery(
        Key key,
        long seq,
        String eventId,
        String type,
        Status status,
        int attempts,
        Optional<Integer> answer,
        Optional<String> trouble,
        Instant at) {

    /**
     * Where a delivery is found.
     *
     * @param number counts the webhook's deliveries from one, so that the oldest is found without a search
     */
    public record Key(Webhook.Key webhook, long number) {}

    /** Where it stands. */
    public enum Status {
        DELIVERED,
        /** It failed and will be tried again. */
        RETRYING,
        GIVEN_UP;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
