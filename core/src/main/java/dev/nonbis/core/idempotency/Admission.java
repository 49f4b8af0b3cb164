package dev.nonbis.core.idempotency;

import dev.nonbis.core.identity.TenantId;
import java.time.Instant;

/**
 * The request that made a thing, kept beside it and never changed.
 *
 * @param body the canonical form of the request's body
 */
public record Admission(String requestId, Instant at, byte[] body) {

    /** Where an admission is found: beside what it made. */
    public record Key(TenantId tenant, String subject) {}
}
