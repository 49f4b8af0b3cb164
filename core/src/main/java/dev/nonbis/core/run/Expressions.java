package dev.nonbis.core.run;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import java.util.Optional;
import java.util.function.Supplier;

/** Evaluates the expressions of workflows. Pure, and bounded in time and memory. */
public interface Expressions {

    /** Why the expression cannot be used; empty when it can. */
    Optional<String> complaint(String expression);

    /** Why the expression cannot be a condition; empty when it can. */
    default Optional<String> conditionComplaint(String expression) {
        return complaint(expression);
    }

    /** The value of the expression over {@code input} and {@code steps}, at the cost of this budget. */
    Result evaluate(String expression, JsonObject scope, Budget budget);

    /** The value of one expression that nothing else shares a budget with. */
    default Result evaluate(String expression, JsonObject scope) {
        return evaluate(expression, scope, new Budget());
    }

    /** Whether evaluating the expression can take more than some microseconds: it has loops or regular expressions, or is new here. */
    default boolean mayTakeLong(String expression) {
        return false;
    }

    /**
     * Runs evaluations that may take long, in turn with those of other tenants. Only outside of transactions.
     *
     * @throws EvaluationsOverloaded when too many of this tenant's wait already
     */
    default <T> T queued(TenantId tenant, Supplier<T> evaluations) {
        return evaluations.get();
    }

    /** A value, or why there is none. */
    sealed interface Result {

        record Value(JsonValue value) implements Result {}

        /** Why there is no value. */
        sealed interface NoValue extends Result {
            String why();
        }

        /** The expression has no value for these variables. */
        record Failed(String why) implements NoValue {}

        /** It was stopped at a limit on what an expression may cost or make. */
        record LimitExceeded(String why) implements NoValue {}
    }
}
