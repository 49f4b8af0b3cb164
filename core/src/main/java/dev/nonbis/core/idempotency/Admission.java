package dev.nonbis.core.idempotency;

import dev.nonbis.core.identity.TenantId;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;

/**
 * The request that made a thing, kept beside it and never changed.
 *
 * @param body the canonical form of the request's body
 */
public record Admission(String requestId, Instant at, byte[] body) {

    /** Where an admission is found: beside what it made. */
    public record Key(TenantId tenant, String subject) {}

    @Override
    public boolean equals(Object other) {
        return other instanceof Admission that
                && requestId.equals(that.requestId)
                && at.equals(that.at)
                && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return Objects.hash(requestId, at, Arrays.hashCode(body));
    }
}
