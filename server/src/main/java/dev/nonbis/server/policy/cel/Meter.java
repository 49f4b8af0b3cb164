package dev.nonbis.server.policy.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import dev.nonbis.core.run.Budget;
import java.util.List;
import java.util.Map;

/**
 * Charges an evaluation for every value it comes by and stops it when the budget is spent. CEL alone does not bound memory or time:
 * a chain of {@code map} over {@code [x, x]} doubles a value with every link.
 */
final class Meter implements CelEvaluationListener {

    private static final int CHARACTERS_PER_UNIT = 8;
    private static final int ITEMS_PER_UNIT = 2;
    private static final int PATTERN_UNITS_PER_CHARACTER = 4;

    private final Costs costs;
    private final Budget budget;

    Meter(Costs costs, Budget budget) {
        this.costs = costs;
        this.budget = budget;
    }

    boolean isExhausted() {
        return budget.isSpent();
    }

    /** Charges for a result as a whole, which is copied. */
    void result(Object value) {
        deep(value);
    }

    @Override
    public void callback(CelExpr part, Object value) {
        spend(1);
        switch (costs.of(part.id())) {
            case FLAT -> flat(value);
            case DEEP -> deep(value);
            case MEMBERS -> {
                if (!(value instanceof Map)) {
                    deep(value);
                }
            }
            case PATTERN_TEXT -> spend((long) length(value) * PATTERN_UNITS_PER_CHARACTER);
            case JOINED -> {
                flat(value);
                spend(value instanceof List<?> list ? list.size() / ITEMS_PER_UNIT : 0);
            }
        }
    }

    private void flat(Object value) {
        spend(length(value) / CHARACTERS_PER_UNIT);
    }

    private void deep(Object value) {
        spend(1 + length(value) / CHARACTERS_PER_UNIT);
        if (value instanceof List<?> list) {
            list.forEach(this::deep);
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> {
                deep(name);
                deep(member);
            });
        }
    }

    private static int length(Object value) {
        return value instanceof CharSequence text ? text.length() : 0;
    }

    private void spend(long units) {
        if (!budget.spend(units)) {
            throw new BudgetSpent();
        }
    }

    /** Ends an evaluation; never leaves this package. */
    private static final class BudgetSpent extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BudgetSpent() {
            super("the expression costs too much on these values", null, false, false);
        }
    }
}
