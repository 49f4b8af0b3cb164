package dev.nonbis.json;

import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An object's text, written member by member, for shapes that are known and written often: it makes no objects on the way. It is
 * the text that {@link Json#write} would give; written in the order of the names it is the canonical one.
 */
public final class JsonText {

    private final JsonWriter writer;
    private boolean first = true;

    public JsonText() {
        this(0);
    }

    /** A text that will have about so many bytes. */
    public JsonText(int expectedBytes) {
        this(new JsonWriter(false, expectedBytes));
    }

    private JsonText(JsonWriter writer) {
        this.writer = writer;
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

    public JsonText put(String name, JsonSlice value) {
        name(name);
        writer.slice(value);
        return this;
    }

    /** Leaves the member out when there is no value. */
    public JsonText putSlice(String name, Optional<JsonSlice> value) {
        return value.isPresent() ? put(name, value.get()) : this;
    }

    /** All members of an object. */
    public JsonText putAll(JsonObject object) {
        object.members().forEach(this::put);
        return this;
    }

    /** An object whose members are written into this text. */
    public JsonText putObject(String name, Consumer<JsonText> members) {
        name(name);
        object(members);
        return this;
    }

    /** An array of objects whose members are written into this text. */
    public <T> JsonText putObjects(String name, List<T> elements, BiConsumer<JsonText, T> members) {
        name(name);
        writer.ascii('[');
        for (int i = 0; i < elements.size(); i++) {
            if (i > 0) {
                writer.ascii(',');
            }
            var element = elements.get(i);
            object(object -> members.accept(object, element));
        }
        writer.ascii(']');
        return this;
    }

    private void object(Consumer<JsonText> members) {
        members.accept(new JsonText(writer));
        writer.ascii('}');
    }

    /** An array of what each element looks like; no more than one of them is an object in memory at a time. */
    public <T> JsonText putEach(String name, List<T> elements, Function<T, JsonObject> view) {
        return putObjects(name, elements, (object, element) -> object.putAll(view.apply(element)));
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
