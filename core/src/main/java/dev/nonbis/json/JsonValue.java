package dev.nonbis.json;

/** A JSON value that has passed the strict parser or was built by us; immutable. */
public sealed interface JsonValue
        permits JsonObject,
                JsonArray,
                JsonValue.JsonString,
                JsonValue.JsonNumber,
                JsonValue.JsonBool,
                JsonValue.JsonNull {

    /** A string without lone surrogates. */
    record JsonString(String value) implements JsonValue {}

    /** A number that a double holds without change. */
    record JsonNumber(double value) implements JsonValue {

        public JsonNumber {
            // Minus zero becomes zero, so that equal values are exactly those with equal canonical forms.
            value += 0.0;
        }
    }

    /** {@code true} or {@code false}. */
    record JsonBool(boolean value) implements JsonValue {}

    /** {@code null}. */
    record JsonNull() implements JsonValue {
        public static final JsonNull NULL = new JsonNull();
    }
}
