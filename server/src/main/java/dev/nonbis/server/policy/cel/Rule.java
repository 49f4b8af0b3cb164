package dev.nonbis.server.policy.cel;

import dev.nonbis.core.policy.Explanation.Found;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.run.Budget;
import dev.nonbis.core.run.Expressions.Result;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonBool;

/** A condition and the verdict on what meets it. */
public final class Rule {

    private final String id;
    private final String when;
    private final CelProgram condition;
    private final Verdict verdict;

    Rule(String id, String when, CelProgram condition, Verdict verdict) {
        this.id = id;
        this.when = when;
        this.condition = condition;
        this.verdict = verdict;
    }

    public String id() {
        return id;
    }

    /** The condition as it was written. */
    public String when() {
        return when;
    }

    boolean mayTakeLong() {
        return condition.mayTakeLong();
    }

    public Verdict verdict() {
        return verdict;
    }

    /** Looks whether the rule applies, given the object whose members are the condition's variables. */
    public Found look(JsonObject scope, Budget budget) {
        return switch (condition.evaluate(scope, budget)) {
            case Result.Value(JsonBool(boolean holds)) -> holds ? new Found.Matched() : new Found.NotMatched();
            case Result.Value other -> new Found.Failed("the condition gave something else than true or false");
            case Result.NoValue none -> new Found.Failed(none.why());
        };
    }
}
