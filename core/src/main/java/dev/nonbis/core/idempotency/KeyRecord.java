package dev.nonbis.core.idempotency;

import java.time.Instant;
import java.util.Optional;

/**
 * A settled key: the thing that its one request made, and all that a repeated request has to be told.
 *
 * @param subject the id of the job, run or payment
 * @param expiresAt when the key is free again; never, when absent
 * @param requestId the id of the one request
 * @param sent what the one request looked like on its way
 */
public record KeyRecord(
        String subject,
        Optional<Instant> expiresAt,
        String requestId,
        Sent sent,
        Fingerprint fingerprint,
        RecordedAnswer answer) {

    public boolean isLive(Instant now) {
        return expiresAt.map(now::isBefore).orElse(true);
    }
}
