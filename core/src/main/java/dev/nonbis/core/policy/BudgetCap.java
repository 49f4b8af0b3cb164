package dev.nonbis.core.policy;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;

/**
 * How much an agent may spend.
 *
 * @param provider the provider that the cap is for; there exactly when the scope is {@link Scope#PROVIDER}
 */
public record BudgetCap(Scope scope, Optional<String> provider, BigDecimal capUsd) {

    /** What a cap is counted over. Days and months are those of UTC; a provider's total never starts anew. */
    public enum Scope {
        REQUEST,
        DAY,
        MONTH,
        PROVIDER;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
