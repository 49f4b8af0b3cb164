package dev.nonbis.client;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What the server answered to a call that succeeded.
 *
 * @param status the HTTP status
 * @param text the body exactly as it was sent; a replay's is equal to the first answer's
 * @param body the body, parsed
 * @param requestId the id of this request, for support
 * @param replay present when the call had already taken effect and this is the recorded answer
 * @param idempotencyKey the key the call was sent under
 * @param attempts how often the call was sent
 */
public record Answer(
        int status,
        String text,
        JsonNode body,
        String requestId,
        Optional<Replay> replay,
        Optional<String> idempotencyKey,
        int attempts) {

    /**
     * Why nothing ran.
     *
     * @param blockedBy the layer that recognised the duplicate, such as {@code idempotency_key}
     * @param originalRequest the id of the request that took effect, when the server gave it
     */
    public record Replay(String blockedBy, Optional<String> originalRequest) {}

    /** Whether this is the recorded answer of an earlier request. */
    public boolean replayed() {
        return replay.isPresent();
    }
}
