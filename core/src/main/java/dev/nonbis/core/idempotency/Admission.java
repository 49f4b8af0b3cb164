package dev.nonbis.core.idempotency;

import dev.nonbis.core.identity.TenantId;
import java.time.Instant;
import java.util.Optional;

/**
 * The request that made a thing, kept beside it and never changed: its canonical body, and its answer if it carried a key.
 *
 * @param body the canonical form of the request's body
 */
public record Admission(String requestId, Instant at, byte[] body, Optional<Keyed> keyed) {

    /** Where an admission is found: beside what it made. */
    public record Key(TenantId tenant, String subject) {}

    /** What a request with a key leaves for those that repeat it. */
    public record Keyed(
            IdempotencyKey key, Fingerprint fingerprint, Optional<Instant> expiresAt, RecordedAnswer answer) {}
}
