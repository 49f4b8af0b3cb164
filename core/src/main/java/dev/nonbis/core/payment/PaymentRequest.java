package dev.nonbis.core.payment;

import dev.nonbis.core.policy.PaymentFacts;
import dev.nonbis.json.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One agent's wish to pay, as its envelope says. The amount is exact.
 *
 * @param envelope all of it, also what no rule of ours looks at
 * @param recipient the address that would get the money, when the destination names one
 */
public record PaymentRequest(
        JsonObject envelope,
        String agentId,
        BigDecimal amountUsd,
        String chain,
        String providerUrl,
        Optional<String> recipient,
        Instant expiry,
        String nonce) {

    /** How far clocks may be apart. */
    public static final Duration SKEW = Duration.ofSeconds(60);

    /** The last instant at which it can be taken; its nonce must be remembered for as long. */
    public Instant acceptableUntil() {
        return expiry.plus(SKEW);
    }

    public boolean isExpired(Instant now) {
        return now.isAfter(acceptableUntil());
    }

    public PaymentFacts facts() {
        return new PaymentFacts(envelope, agentId, amountUsd, providerUrl, recipient, chain);
    }
}
