package dev.nonbis.json;

import java.util.Optional;

/**
 * An object's text, written member by member, for shapes that are known and written often: it makes no objects on the way. It is
 * the text that {@link Json#write} would give; written in the order of the names it is the canonical one.
 */
public final class JsonText {

    private final JsonWriter writer = new JsonWriter(false);
    private boolean first = true;

    public JsonText() {
        writer.ascii('{');
    }

    public JsonText put(String name, String value) {
        name(name);
        writer.string(value);
        return this;
    }

    public JsonText put(String name, long value) {
        name(name);
        writer.number((double) value);
        return this;
    }

    public JsonText put(String name, JsonValue value) {
        name(name);
        writer.value(value, 1);
        return this;
    }

    /** Leaves the member out when there is no value. */
    public JsonText putString(String name, Optional<String> value) {
        return value.isPresent() ? put(name, value.get()) : this;
    }

    /** The whole text; nothing may be put afterwards. */
    public byte[] end() {
        writer.ascii('}');
        return writer.text();
    }

    private void name(String name) {
        if (!first) {
            writer.ascii(',');
        }
        first = false;
        writer.string(name);
        writer.ascii(':');
    }
}
