package dev.nonbis.core.run;

import dev.nonbis.core.run.Expressions.Result;
import dev.nonbis.core.run.Workflow.Step;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonBool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which steps may start, and what that makes of the run. Pure: the same run gives the same plan. */
public final class RunPlan {

    /** What the reason of a step begins with whose expression was stopped at a limit. */
    static final String LIMIT_CODE = "expression_limit";

    private final Workflow workflow;
    private final Expressions expressions;

    public RunPlan(Workflow workflow, Expressions expressions) {
        this.workflow = workflow;
        this.expressions = expressions;
    }

    /** A step that may start, with its input. */
    public record Start(Step step, JsonObject input) {}

    /** What to do next: jobs to make, and where every step is then. A step whose expression failed is failed, with the reason. */
    public record Plan(List<Start> starts, Map<String, StepState> steps, Map<String, String> failures) {}

    /**
     * The plan for steps in these states.
     *
     * @param scope what expressions see: {@code input} and {@code steps}
     */
    public Plan next(Map<String, StepState> states, JsonObject scope) {
        var steps = new LinkedHashMap<>(states);
        var starts = new ArrayList<Start>();
        var failures = new LinkedHashMap<String, String>();
        var costed = new Template.Scope(scope, new Budget());
        boolean changed = true;
        // A skipped step may free others, so look again until nothing moves.
        while (changed) {
            changed = false;
            for (var step : workflow.steps()) {
                if (steps.get(step.id()) == StepState.BLOCKED && isFree(step, steps)) {
                    steps.put(step.id(), decide(step, costed, starts, failures));
                    changed = true;
                }
            }
        }
        return new Plan(starts, steps, failures);
    }

    /** What the states of its steps make of a run. One failure or denial ends it. */
    public static RunState state(Collection<StepState> steps) {
        if (steps.contains(StepState.FAILED)) {
            return RunState.FAILED;
        }
        if (steps.contains(StepState.DENIED)) {
            return RunState.DENIED;
        }
        if (steps.contains(StepState.CANCELLED)) {
            return RunState.CANCELLED;
        }
        if (steps.stream().allMatch(StepState::isPassed)) {
            return RunState.SUCCEEDED;
        }
        return steps.contains(StepState.WAITING) && !steps.contains(StepState.ACTIVE)
                ? RunState.WAITING
                : RunState.RUNNING;
    }

    private static boolean isFree(Step step, Map<String, StepState> steps) {
        return step.needs().stream().map(steps::get).allMatch(state -> state != null && state.isPassed());
    }

    private StepState decide(Step step, Template.Scope scope, List<Start> starts, Map<String, String> failures) {
        if (step.when().isPresent()) {
            switch (expressions.evaluate(step.when().get(), scope.values(), scope.budget())) {
                case Result.Value(JsonBool(boolean holds)) -> {
                    if (!holds) {
                        return StepState.SKIPPED;
                    }
                }
                case Result.Value other -> {
                    failures.put(step.id(), "when gave something else than true or false");
                    return StepState.FAILED;
                }
                case Result.NoValue failed -> {
                    failures.put(step.id(), reason("when", failed));
                    return StepState.FAILED;
                }
            }
        }
        switch (Template.fill(step.input(), expressions, scope)) {
            case Result.Value(JsonObject input) -> starts.add(new Start(step, input));
            case Result.Value other -> throw new IllegalStateException("an object filled is an object");
            case Result.NoValue failed -> {
                failures.put(step.id(), reason("input", failed));
                return StepState.FAILED;
            }
        }
        return step.approval() ? StepState.WAITING : StepState.ACTIVE;
    }

    private static String reason(String member, Result.NoValue failed) {
        return switch (failed) {
            case Result.Failed(var why) -> member + ": " + why;
            case Result.LimitExceeded(var why) -> LIMIT_CODE + ": " + member + ": " + why;
        };
    }
}
