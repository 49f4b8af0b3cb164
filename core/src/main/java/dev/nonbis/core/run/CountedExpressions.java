package dev.nonbis.core.run;

import dev.nonbis.json.JsonObject;
import java.util.Optional;

/** The expressions of one definition while it is checked. Each takes about a millisecond to compile, so there may not be any number. */
public final class CountedExpressions implements Expressions {

    /** The most expressions of one workflow. */
    static final int MAX_EXPRESSIONS = 1_000;

    /** The most characters of all expressions of one workflow together. */
    static final int MAX_CHARACTERS = 64 * 1024;

    private final Expressions expressions;
    private int count;
    private int characters;

    public CountedExpressions(Expressions expressions) {
        this.expressions = expressions;
    }

    @Override
    public Optional<String> complaint(String expression) {
        return tooMany(expression).or(() -> expressions.complaint(expression));
    }

    @Override
    public Optional<String> conditionComplaint(String expression) {
        return tooMany(expression).or(() -> expressions.conditionComplaint(expression));
    }

    @Override
    public Result evaluate(String expression, JsonObject scope, Budget budget) {
        return expressions.evaluate(expression, scope, budget);
    }

    private Optional<String> tooMany(String expression) {
        count++;
        characters += expression.length();
        if (count > MAX_EXPRESSIONS) {
            return Optional.of("is one expression too many; a workflow has at most " + MAX_EXPRESSIONS);
        }
        return characters > MAX_CHARACTERS
                ? Optional.of("is too much; the expressions of a workflow have at most " + MAX_CHARACTERS
                        + " characters together")
                : Optional.empty();
    }
}
