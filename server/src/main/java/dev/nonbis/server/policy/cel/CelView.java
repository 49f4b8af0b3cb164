package dev.nonbis.server.policy.cel;

import com.google.common.collect.Collections2;
import com.google.common.collect.Maps;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelValue;
import dev.cel.common.values.NullValue;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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

    @SuppressWarnings("Immutable") // JSON values never change.
    private static final class ArrayView extends CelList {

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

    /** An object of JSON. It is a {@link CelValue} for the same reason as {@link CelList}. */
    @SuppressWarnings("Immutable") // JSON values never change.
    private static final class ObjectView extends CelValue implements Map<String, Object> {

        private static final CelType TYPE = MapType.create(SimpleType.STRING, SimpleType.DYN);

        private final JsonObject object;

        ObjectView(JsonObject object) {
            this.object = object;
        }

        @Override
        public Object value() {
            return this;
        }

        @Override
        public boolean isZeroValue() {
            return isEmpty();
        }

        @Override
        public CelType celType() {
            return TYPE;
        }

        @Override
        public String toString() {
            return "map";
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
        public boolean containsValue(@Nullable Object value) {
            return values().contains(value);
        }

        @Override
        public int size() {
            return object.members().size();
        }

        @Override
        public boolean isEmpty() {
            return size() == 0;
        }

        @Override
        public Set<String> keySet() {
            return object.members().keySet();
        }

        @Override
        public Collection<Object> values() {
            return Collections2.transform(object.members().values(), CelView::of);
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            return Maps.transformValues(object.members(), CelView::of).entrySet();
        }

        @Override
        public Object put(String name, Object value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object remove(@Nullable Object name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void putAll(Map<? extends String, ?> members) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void clear() {
            throw new UnsupportedOperationException();
        }
    }
}
