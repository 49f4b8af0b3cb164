package dev.nonbis.client;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A refusal or failure, as the server described it. Route on {@link #code} and {@link #retry}, never on the status.
 *
 * @param code the stable word for what happened, such as {@code policy_denied}
 * @param retry what to do next
 * @param title what happened, in general
 * @param detail what happened, this time
 * @param status the HTTP status, for display
 * @param retryAfter how long waiting should help
 * @param requestId the id of the request, for support
 * @param body every member, those of this code included
 */
public record Problem(
        String code,
        Retry retry,
        String title,
        String detail,
        int status,
        Optional<Duration> retryAfter,
        String requestId,
        JsonNode body) {

    /** What a client should do after a problem. */
    public enum Retry {
        /** Send the same request again, with the same key. */
        SAME_KEY,
        /** Nothing was recorded: correct the request; the key is free. */
        FIX_REQUEST,
        /** The key belongs to something else: use another. */
        NEW_KEY,
        /** Sending this again will never help. */
        NEVER;

        static Optional<Retry> of(String word) {
            return switch (word) {
                case "same_key" -> Optional.of(SAME_KEY);
                case "fix_request" -> Optional.of(FIX_REQUEST);
                case "new_key" -> Optional.of(NEW_KEY);
                case "never" -> Optional.of(NEVER);
                default -> Optional.empty();
            };
        }

        /** The word in the problem's {@code retry} member. */
        public String word() {
            return switch (this) {
                case SAME_KEY -> "same_key";
                case FIX_REQUEST -> "fix_request";
                case NEW_KEY -> "new_key";
                case NEVER -> "never";
            };
        }
    }
}
