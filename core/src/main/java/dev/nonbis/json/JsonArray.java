package dev.nonbis.json;

import java.util.Collection;
import java.util.List;

/** An ordered list of values. */
public record JsonArray(List<JsonValue> items) implements JsonValue {

    public JsonArray {
        items = List.copyOf(items);
    }

    public static JsonArray ofStrings(Collection<String> strings) {
        return new JsonArray(strings.stream().<JsonValue>map(JsonString::new).toList());
    }
}
