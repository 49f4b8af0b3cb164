package dev.nonbis.core.operation;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.payment.Budget;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.store.Tables;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** What an agent may spend and has spent, as of now. */
public final class ShowBudgets {

    private final Ports ports;

    public ShowBudgets(Ports ports) {
        this.ports = ports;
    }

    /** One cap; nothing is counted for a cap on single requests. */
    public record Line(BudgetCap cap, Optional<String> window, Optional<BigDecimal> spentUsd) {}

    public List<Line> show(TenantId tenant, String agent) {
        var now = ports.clock().instant();
        var caps = ports.policy().caps(tenant, agent);
        return ports.store()
                .read(tx -> caps.stream()
                        .map(cap -> {
                            var key = Budget.key(tenant, agent, cap, now);
                            var spent = key.map(k -> tx.find(Tables.BUDGETS, k)
                                    .orElse(Budget.UNTOUCHED)
                                    .spentUsd());
                            return new Line(cap, key.map(Budget.Key::window), spent);
                        })
                        .toList());
    }
}
