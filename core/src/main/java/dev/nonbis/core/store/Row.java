package dev.nonbis.core.store;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/** A stored object on its way back to a record; a member that must be there and is not means that the store is damaged. */
record Row(JsonObject json) {

    Row(byte[] body) {
        this(object(body));
    }

    static JsonObject object(byte[] body) {
        if (Json.parse(body) instanceof JsonObject object) {
            return object;
        }
        throw new IllegalStateException("a stored row is not an object");
    }

    String string(String name) {
        return json.string(name).orElseThrow(() -> missing(name));
    }

    long integer(String name) {
        return json.integer(name).orElseThrow(() -> missing(name));
    }

    Optional<Instant> time(String name) {
        return json.integer(name).map(Timestamps::ofMicros);
    }

    Instant instant(String name) {
        return Timestamps.ofMicros(integer(name));
    }

    JsonObject object(String name) {
        return json.object(name).orElseThrow(() -> missing(name));
    }

    private static IllegalStateException missing(String name) {
        return new IllegalStateException("a stored row lacks " + name);
    }
}
