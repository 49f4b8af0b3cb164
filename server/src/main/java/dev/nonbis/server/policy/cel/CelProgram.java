package dev.nonbis.server.policy.cel;

import dev.cel.common.CelErrorCode;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.nonbis.core.run.Budget;
import dev.nonbis.core.run.Expressions.Result;
import dev.nonbis.json.JsonObject;

/** One compiled expression. Safe for many threads. */
final class CelProgram {

    private final CelRuntime.Program program;
    private final Costs costs;
    private final CelType type;

    CelProgram(CelRuntime.Program program, Costs costs, CelType type) {
        this.program = program;
        this.costs = costs;
        this.type = type;
    }

    /** Whether the value may be true or false; unknown until evaluation when it depends on the variables' types. */
    boolean mayBeBoolean() {
        return type.equals(SimpleType.BOOL) || type.equals(SimpleType.DYN);
    }

    /** Whether the work depends on the values by more than their length. */
    boolean mayTakeLong() {
        return costs.mayBeHigh();
    }

    String typeName() {
        return type.name();
    }

    Result evaluate(JsonObject scope, Budget budget) {
        var meter = new Meter(costs, budget);
        try {
            var value = program.trace(CelView.ofObject(scope), meter);
            meter.result(value);
            return CelOutput.toJson(value);
        } catch (LimitExceeded e) {
            return new Result.LimitExceeded(String.valueOf(e.getMessage()));
        } catch (CelEvaluationException e) {
            return e.getErrorCode() == CelErrorCode.ITERATION_BUDGET_EXCEEDED
                    ? new Result.LimitExceeded(reason(e))
                    : new Result.Failed(reason(e));
        } catch (RuntimeException e) {
            return new Result.Failed(Language.oneLine(String.valueOf(e.getMessage())));
        } catch (StackOverflowError e) {
            return new Result.LimitExceeded("the expression nests too deep on these values");
        }
    }

    private static String reason(CelEvaluationException e) {
        String message = Language.oneLine(String.valueOf(e.getMessage()));
        return message.replaceFirst("^evaluation error at <input>:(\\d+): ", "at character $1: ");
    }
}
