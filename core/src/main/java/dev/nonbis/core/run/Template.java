package dev.nonbis.core.run;

import dev.nonbis.core.run.Expressions.Result;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.Optional;
import java.util.stream.Stream;

/** A value in which each string of the form <code>${…}</code> stands for the value of the expression inside. */
public final class Template {

    private Template() {}

    /** What expressions see, and what they may cost together. */
    public record Scope(JsonObject values, Budget budget) {}

    /** The expression, when the whole text is of the form <code>${…}</code>. */
    public static Optional<String> expression(String text) {
        return text.startsWith("${") && text.endsWith("}")
                ? Optional.of(text.substring(2, text.length() - 1))
                : Optional.empty();
    }

    /** Every expression in the value. */
    static Stream<String> expressions(JsonValue template) {
        return switch (template) {
            case JsonString text -> expression(text.value()).stream();
            case JsonObject object -> object.members().values().stream().flatMap(Template::expressions);
            case JsonArray array -> array.items().stream().flatMap(Template::expressions);
            case JsonNumber number -> Stream.empty();
            case JsonBool bool -> Stream.empty();
            case JsonNull none -> Stream.empty();
        };
    }

    /** The value with every expression replaced; the first that fails is the result. */
    public static Result fill(JsonValue template, Expressions expressions, Scope scope) {
        return switch (template) {
            case JsonString text ->
                expression(text.value())
                        .map(e -> expressions.evaluate(e, scope.values(), scope.budget()))
                        .orElseGet(() -> new Result.Value(text));
            case JsonObject object -> fillObject(object, expressions, scope);
            case JsonArray array -> fillArray(array, expressions, scope);
            case JsonNumber number -> new Result.Value(number);
            case JsonBool bool -> new Result.Value(bool);
            case JsonNull none -> new Result.Value(none);
        };
    }

    private static Result fillObject(JsonObject object, Expressions expressions, Scope scope) {
        var filled = JsonObject.builder();
        for (var member : object.members().entrySet()) {
            switch (fill(member.getValue(), expressions, scope)) {
                case Result.Value value -> filled.put(member.getKey(), value.value());
                case Result.NoValue failed -> {
                    return failed;
                }
            }
        }
        return new Result.Value(filled.build());
    }

    private static Result fillArray(JsonArray array, Expressions expressions, Scope scope) {
        var filled = new ArrayList<JsonValue>();
        for (var item : array.items()) {
            switch (fill(item, expressions, scope)) {
                case Result.Value value -> filled.add(value.value());
                case Result.NoValue failed -> {
                    return failed;
                }
            }
        }
        return new Result.Value(new JsonArray(filled));
    }
}
