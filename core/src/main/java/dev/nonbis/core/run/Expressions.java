package dev.nonbis.core.run;

import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import java.util.Optional;

/** Evaluates the expressions of workflows. Pure, and bounded in time and memory. */
public interface Expressions {

    /** Why the expression cannot be used; empty when it can. */
    Optional<String> complaint(String expression);

    /** The value of the expression over {@code input} and {@code steps}. */
    Result evaluate(String expression, JsonObject scope);

    /** A value, or why there is none. */
    sealed interface Result {

        record Value(JsonValue value) implements Result {}

        record Failed(String why) implements Result {}
    }
}
