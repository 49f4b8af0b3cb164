package dev.nonbis.server.http;

import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** An object that a client sent, read member by member; what does not fit is refused with the pointer to it. */
public final class Body {

    private final JsonObject json;
    private final String pointer;

    private Body(JsonObject json, String pointer) {
        this.json = json;
        this.pointer = pointer;
    }

    /** The request's body, which must be an object without members other than these. */
    public static Body object(Call call, Set<String> allowed) {
        if (Json.parse(call.request().body()) instanceof JsonObject json) {
            return of(json, "", allowed);
        }
        throw Refusal.at("", ProblemCode.INVALID_FIELD, "The body must be an object.");
    }

    /** Like {@link #object}, and an empty body is an empty object. */
    public static Body optionalObject(Call call, Set<String> allowed) {
        return call.request().body().length == 0 ? new Body(JsonObject.EMPTY, "") : object(call, allowed);
    }

    /** An object inside a body, at this pointer. */
    public static Body of(JsonObject json, String pointer, Set<String> allowed) {
        for (var name : json.members().keySet()) {
            if (!allowed.contains(name)) {
                throw Refusal.at(pointer(pointer, name), ProblemCode.UNKNOWN_FIELD, "This field is not known here.");
            }
        }
        return new Body(json, pointer);
    }

    public JsonObject json() {
        return json;
    }

    /** The RFC 6901 pointer to a member. */
    public String at(String name) {
        return pointer(pointer, name);
    }

    public boolean has(String name) {
        return json.has(name);
    }

    public Optional<JsonValue> value(String name) {
        return json.get(name);
    }

    public String string(String name) {
        return required(name, optionalString(name));
    }

    public Optional<String> optionalString(String name) {
        return typed(name, json::string, "a string");
    }

    public long integer(String name, long min, long max) {
        return required(name, optionalInteger(name, min, max));
    }

    public Optional<Long> optionalInteger(String name, long min, long max) {
        var number = typed(name, json::integer, "an integer");
        if (number.isPresent() && (number.get() < min || number.get() > max)) {
            throw invalid(name, "a number from " + min + " to " + max);
        }
        return number;
    }

    public Optional<Boolean> optionalBool(String name) {
        return typed(name, json::bool, "true or false");
    }

    public JsonObject object(String name) {
        return required(name, optionalObject(name));
    }

    public Optional<JsonObject> optionalObject(String name) {
        return typed(name, json::object, "an object");
    }

    public JsonArray array(String name) {
        return required(name, optionalArray(name));
    }

    public Optional<JsonArray> optionalArray(String name) {
        return typed(name, json::array, "an array");
    }

    /** An object of strings; empty when the member is absent. */
    public Map<String, String> optionalStrings(String name) {
        var strings = new LinkedHashMap<String, String>();
        optionalObject(name).orElse(JsonObject.EMPTY).members().forEach((key, value) -> {
            if (!(value instanceof JsonString(var text))) {
                throw Refusal.at(pointer(at(name), key), ProblemCode.INVALID_FIELD, "Expected a string.");
            }
            strings.put(key, text);
        });
        return strings;
    }

    private <T> T required(String name, Optional<T> value) {
        return value.orElseThrow(
                () -> Refusal.at(at(name), ProblemCode.MISSING_FIELD, "The field " + name + " is required."));
    }

    private <T> Optional<T> typed(String name, Function<String, Optional<T>> getter, String expected) {
        var value = getter.apply(name);
        if (value.isEmpty() && json.has(name)) {
            throw invalid(name, expected);
        }
        return value;
    }

    private Refusal invalid(String name, String expected) {
        return Refusal.at(at(name), ProblemCode.INVALID_FIELD, "Expected " + expected + ".");
    }

    private static String pointer(String parent, String name) {
        return parent + "/" + name.replace("~", "~0").replace("/", "~1");
    }
}
