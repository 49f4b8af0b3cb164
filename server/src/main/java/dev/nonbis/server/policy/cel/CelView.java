package dev.nonbis.server.policy.cel;

import dev.cel.common.values.NullValue;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** JSON as CEL sees it. Objects and arrays are views: an expression that reads one member of a large value pays for one member. */
final class CelView {

    static final double MAX_EXACT = 9007199254740991d;

    private CelView() {}

    static Map<String, Object> ofObject(JsonObject object) {
        return new ObjectView(object);
    }

    private static Object of(JsonValue value) {
        return switch (value) {
            case JsonObject object -> new ObjectView(object);
            case JsonArray array -> new ArrayView(array.items());
            case JsonString(var text) -> text;
            case JsonNumber(var number) -> number(number);
            case JsonBool(var bool) -> bool;
            case JsonNull none -> NullValue.NULL_VALUE;
        };
    }

    // A number without fraction is an int, however it was spelled: JSON does not tell 100 from 100.0.
    private static Object number(double number) {
        if (number == Math.rint(number) && Math.abs(number) <= MAX_EXACT) {
            return (long) number;
        }
        return number;
    }

    private static final class ArrayView extends AbstractList<Object> implements RandomAccess {

        private final List<JsonValue> items;

        ArrayView(List<JsonValue> items) {
            this.items = items;
        }

        @Override
        public Object get(int index) {
            return of(items.get(index));
        }

        @Override
        public int size() {
            return items.size();
        }
    }

    private static final class ObjectView extends AbstractMap<String, Object> {

        private final JsonObject object;

        ObjectView(JsonObject object) {
            this.object = object;
        }

        @Override
        public @Nullable Object get(@Nullable Object name) {
            return name instanceof String text
                    ? object.get(text).map(CelView::of).orElse(null)
                    : null;
        }

        @Override
        public boolean containsKey(@Nullable Object name) {
            return name instanceof String text && object.has(text);
        }

        @Override
        public int size() {
            return object.members().size();
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            return new Entries(object);
        }
    }

    private static final class Entries extends AbstractSet<Map.Entry<String, Object>> {

        private final JsonObject object;

        Entries(JsonObject object) {
            this.object = object;
        }

        @Override
        public Iterator<Map.Entry<String, Object>> iterator() {
            return object.members().entrySet().stream()
                    .map(member -> Map.<String, Object>entry(member.getKey(), of(member.getValue())))
                    .iterator();
        }

        @Override
        public int size() {
            return object.members().size();
        }
    }
}
