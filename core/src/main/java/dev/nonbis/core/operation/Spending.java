package dev.nonbis.core.operation;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.payment.Budget;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One payment against an agent's budgets. Looking and spending happen in one transaction, so that no cap can be passed. */
record Spending(TenantId tenant, String agent, BigDecimal amountUsd, List<BudgetCap> caps, Instant now) {

    static final String EXCEEDED = "budget.exceeded";

    List<RowRef<?, ?>> reads() {
        var rows = new ArrayList<RowRef<?, ?>>();
        caps.forEach(cap -> key(cap).ifPresent(key -> rows.add(Tables.BUDGETS.row(key))));
        return rows;
    }

    /** The first cap that the payment would pass. */
    Optional<BudgetCap> exceeded(Tx tx) {
        return caps.stream().filter(cap -> !after(tx, cap).fits(cap.capUsd())).findFirst();
    }

    void spend(Tx tx) {
        for (var cap : caps) {
            key(cap).ifPresent(key -> tx.put(Tables.BUDGETS, key, after(tx, cap)));
        }
    }

    private Budget after(Tx tx, BudgetCap cap) {
        return key(cap).flatMap(key -> tx.find(Tables.BUDGETS, key))
                .orElse(Budget.UNTOUCHED)
                .plus(amountUsd);
    }

    private Optional<Budget.Key> key(BudgetCap cap) {
        return Budget.key(tenant, agent, cap, now);
    }
}
