package dev.nonbis.json;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Members by name, in the order in which they were written. */
public final class JsonObject implements JsonValue {

    public static final JsonObject EMPTY = new JsonObject(new Members());

    private final Members members;

    /** Takes ownership of the members: the caller must not change them afterwards. */
    JsonObject(Members members) {
        this.members = members;
    }

    public static Builder builder() {
        return new Builder();
    }

    public Map<String, JsonValue> members() {
        return Collections.unmodifiableMap(members);
    }

    /** The members themselves, without the guard that costs the writer an object for each. */
    Members membersToRead() {
        return members;
    }

    public boolean has(String name) {
        return members.containsKey(name);
    }

    public Optional<JsonValue> get(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /** The member if it is a string; empty when it is absent or of another type. */
    public Optional<String> string(String name) {
        return members.get(name) instanceof JsonString s ? Optional.of(s.value()) : Optional.empty();
    }

    /** The member if it is a number without fraction that fits a long. */
    public Optional<Long> integer(String name) {
        return members.get(name) instanceof JsonNumber n
                        && n.value() == Math.rint(n.value())
                        && Math.abs(n.value()) <= 9007199254740991d
                ? Optional.of((long) n.value())
                : Optional.empty();
    }

    public Optional<Boolean> bool(String name) {
        return members.get(name) instanceof JsonBool b ? Optional.of(b.value()) : Optional.empty();
    }

    public Optional<JsonObject> object(String name) {
        return members.get(name) instanceof JsonObject o ? Optional.of(o) : Optional.empty();
    }

    public Optional<JsonArray> array(String name) {
        return members.get(name) instanceof JsonArray a ? Optional.of(a) : Optional.empty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonObject o && members.equals(o.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return "JsonObject" + members;
    }

    /** Collects members; a second value under one name is a mistake of ours. */
    public static final class Builder {

        private final Members members = new Members();

        public Builder put(String name, JsonValue value) {
            if (members.put(name, value) != null) {
                throw new IllegalStateException("member written twice: " + name);
            }
            return this;
        }

        public Builder put(String name, String value) {
            return put(name, new JsonString(value));
        }

        public Builder put(String name, long value) {
            return put(name, new JsonNumber(value));
        }

        public Builder put(String name, boolean value) {
            return put(name, new JsonBool(value));
        }

        /** Leaves the member out when there is no value. */
        public Builder putString(String name, Optional<String> value) {
            value.ifPresent(v -> put(name, v));
            return this;
        }

        /** Leaves the member out when there is no value. */
        public Builder putValue(String name, Optional<? extends JsonValue> value) {
            value.ifPresent(v -> put(name, v));
            return this;
        }

        public JsonObject build() {
            return new JsonObject(members);
        }
    }
}
