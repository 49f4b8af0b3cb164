package dev.nonbis.core.idempotency;

import java.time.Instant;
import java.util.Optional;

/**
 * What a key stands for: the thing that its one request made.
 *
 * @param subject the id of the job, run or payment
 * @param expiresAt when the key is free again; never, when absent
 */
public record KeyRecord(String subject, Optional<Instant> expiresAt) {

    public boolean isLive(Instant now) {
        return expiresAt.map(now::isBefore).orElse(true);
    }
}
