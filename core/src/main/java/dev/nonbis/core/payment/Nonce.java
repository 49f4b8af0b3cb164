package dev.nonbis.core.payment;

import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.TenantId;
import java.time.Instant;

/**
 * An envelope's own name, taken once. It is remembered for as long as its envelope could be taken, because after that the expiry refuses
 * what the nonce would have.
 */
public record Nonce(PaymentId payment, Instant neededUntil) {

    /** Where a nonce is found. */
    public record Key(TenantId tenant, String nonce) {}

    public boolean isNeeded(Instant now) {
        return !now.isAfter(neededUntil);
    }
}
