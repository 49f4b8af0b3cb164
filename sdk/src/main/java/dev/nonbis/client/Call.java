package dev.nonbis.client;

import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One logical call. It may be sent several times, always with the same key, and takes effect once.
 *
 * <p>The key exists as soon as the call does, so that a caller can store {@link #idempotencyKey} before the first send and ask again
 * with {@link #withKey} after a crash of its own.
 *
 * @param path the path and query, starting with a slash, already encoded
 * @param traceparent the span in which the call is made, as W3C Trace Context writes it; goes before the client's own
 */
public record Call(
        String method,
        String path,
        Optional<JsonNode> body,
        Optional<String> idempotencyKey,
        Optional<String> traceparent) {

    public Call {
        Objects.requireNonNull(method, "method");
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a path starts with a slash: " + path);
        }
    }

    public Call(String method, String path, Optional<JsonNode> body, Optional<String> idempotencyKey) {
        this(method, path, body, idempotencyKey, Optional.empty());
    }

    /** A read. */
    public static Call get(String path) {
        return new Call("GET", path, Optional.empty(), Optional.empty());
    }

    /** A replacement; sending it twice changes nothing, so it carries no key. */
    public static Call put(String path, JsonNode body) {
        return new Call("PUT", path, Optional.of(body), Optional.empty());
    }

    /** A removal. */
    public static Call delete(String path, JsonNode body) {
        return new Call("DELETE", path, Optional.of(body), Optional.empty());
    }

    /** Something new, under a new key. */
    public static Call create(String path, JsonNode body) {
        return new Call("POST", path, Optional.of(body), Optional.of(IdempotencyKeys.next()));
    }

    /** A command that the server repeats safely by the object's own state, such as a cancellation; it carries no key. */
    public static Call command(String path, JsonNode body) {
        return new Call("POST", path, Optional.of(body), Optional.empty());
    }

    /** The same call under a key of the caller's choice. */
    public Call withKey(String key) {
        return new Call(method, path, body, Optional.of(key), traceparent);
    }

    /** The same call as part of a trace. */
    public Call withTraceparent(String header) {
        return new Call(method, path, body, idempotencyKey, Optional.of(header));
    }

    boolean changesNothing() {
        return method.equals("GET");
    }
}
