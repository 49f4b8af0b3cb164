package dev.nonbis.core.payment;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.policy.BudgetCap;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Optional;

/** What an agent has spent in one window. Amounts are exact, whatever their number of decimals. */
public record Budget(BigDecimal spentUsd) {

    public static final Budget UNTOUCHED = new Budget(BigDecimal.ZERO);

    /**
     * Where a budget is found.
     *
     * @param window the day, the month or the provider that is counted
     */
    public record Key(TenantId tenant, String agent, BudgetCap.Scope scope, String window) {}

    /** What a cap counts at this instant; nothing for a cap on single requests. */
    public static Optional<Key> key(TenantId tenant, String agent, BudgetCap cap, Instant now) {
        var today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return switch (cap.scope()) {
            case REQUEST -> Optional.empty();
            case DAY -> Optional.of(new Key(tenant, agent, cap.scope(), today.toString()));
            case MONTH ->
                Optional.of(new Key(
                        tenant, agent, cap.scope(), YearMonth.from(today).toString()));
            case PROVIDER -> cap.provider().map(provider -> new Key(tenant, agent, cap.scope(), provider));
        };
    }

    public Budget plus(BigDecimal amountUsd) {
        return new Budget(spentUsd.add(amountUsd));
    }

    public boolean fits(BigDecimal capUsd) {
        return spentUsd.compareTo(capUsd) <= 0;
    }
}
