package dev.nonbis.server.policy.cel;

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

    String typeName() {
        return type.name();
    }

    Result evaluate(JsonObject scope, Budget budget) {
        var meter = new Meter(costs, budget);
        try {
            var value = program.trace(CelView.ofObject(scope), meter);
            meter.result(value);
            // An operator such as || may have swallowed the meter's refusal; the flag cannot be swallowed.
            return meter.isExhausted() ? tooCostly() : CelOutput.toJson(value);
        } catch (CelEvaluationException e) {
            return meter.isExhausted() ? tooCostly() : new Result.Failed(reason(e));
        } catch (RuntimeException | StackOverflowError e) {
            return meter.isExhausted()
                    ? tooCostly()
                    : new Result.Failed(Language.oneLine(String.valueOf(e.getMessage())));
        }
    }

    private static Result tooCostly() {
        return new Result.Failed("the expression costs too much on these values");
    }

    private static String reason(CelEvaluationException e) {
        String message = Language.oneLine(String.valueOf(e.getMessage()));
        return message.replaceFirst("^evaluation error at <input>:(\\d+): ", "at character $1: ");
    }
}
