package dev.nonbis.core.operation;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.payment.Budget;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
        return exceeded(key -> tx.find(Tables.BUDGETS, key));
    }

    /** The first cap that the payment would pass as things stand; they may stand otherwise by the time it is spent. */
    Optional<BudgetCap> foreseen(Store store) {
        return exceeded(key -> store.find(Tables.BUDGETS, key));
    }

    void spend(Tx tx) {
        for (var cap : caps) {
            key(cap).ifPresent(key -> tx.put(Tables.BUDGETS, key, after(cap, spent -> tx.find(Tables.BUDGETS, spent))));
        }
    }

    private Optional<BudgetCap> exceeded(Function<Budget.Key, Optional<Budget>> spent) {
        return caps.stream()
                .filter(cap -> !after(cap, spent).fits(cap.capUsd()))
                .findFirst();
    }

    private Budget after(BudgetCap cap, Function<Budget.Key, Optional<Budget>> spent) {
        return key(cap).flatMap(spent).orElse(Budget.UNTOUCHED).plus(amountUsd);
    }

    private Optional<Budget.Key> key(BudgetCap cap) {
        return Budget.key(tenant, agent, cap, now);
    }
}
