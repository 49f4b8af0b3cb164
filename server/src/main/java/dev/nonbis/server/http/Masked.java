package dev.nonbis.server.http;

import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.Optional;

/** Says of a value what kind it is and how large, and nothing of what it says. */
public final class Masked {

    private Masked() {}

    /** What is at an RFC 6901 pointer. */
    public static String at(JsonValue root, String pointer) {
        Optional<JsonValue> value = Optional.of(root);
        if (!pointer.isEmpty()) {
            for (String part : pointer.substring(1).split("/", -1)) {
                String name = part.replace("~1", "/").replace("~0", "~");
                value = value.flatMap(parent -> child(parent, name));
            }
        }
        return value.map(Masked::of).orElse("absent");
    }

    private static String of(JsonValue value) {
        return switch (value) {
            case JsonObject object -> "an object of " + counted(object.members().size(), "member");
            case JsonArray array -> "a list of " + counted(array.items().size(), "item");
            case JsonString(var text) -> "a text of " + counted(text.length(), "character");
            case JsonNumber number -> "a number";
            case JsonBool bool -> "true or false";
            case JsonNull nothing -> "null";
        };
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static Optional<JsonValue> child(JsonValue parent, String name) {
        return switch (parent) {
            case JsonObject object -> object.get(name);
            case JsonArray array -> item(array, name);
            default -> Optional.empty();
        };
    }

    private static Optional<JsonValue> item(JsonArray array, String index) {
        try {
            int place = Integer.parseInt(index);
            return place >= 0 && place < array.items().size()
                    ? Optional.of(array.items().get(place))
                    : Optional.empty();
        } catch (NumberFormatException notAnIndex) {
            return Optional.empty();
        }
    }
}
