package dev.nonbis.core.policy;

import dev.nonbis.json.JsonObject;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * A payment request as a policy sees it.
 *
 * @param envelope the request itself, for conditions
 * @param recipient the address that would get the money, when the request names one
 */
public record PaymentFacts(
        JsonObject envelope,
        String agent,
        BigDecimal amountUsd,
        String providerUrl,
        Optional<String> recipient,
        String chain) {}
