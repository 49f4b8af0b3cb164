package dev.nonbis.server.http;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The OpenAPI document, put together from one file for each group of routes under {@code /openapi}. */
final class ApiDescription {

    private static final List<String> FILES = List.of(
            "base",
            "jobs",
            "workers",
            "approvals",
            "payments",
            "workflows",
            "runs",
            "tenants",
            "keys",
            "policy",
            "audit",
            "events",
            "webhooks",
            "system");

    private static final Map<String, String> HEADERS =
            Map.of("Cache-Control", "max-age=3600", "X-Content-Type-Options", "nosniff");

    private ApiDescription() {}

    /** Read at the first request: a start does not wait for a document that few servers are asked for. */
    private static final class Document {
        static final byte[] JSON = Json.write(document());
    }

    static Response response() {
        return new Response(200, Response.JSON, HEADERS, Document.JSON);
    }

    private static JsonObject document() {
        return FILES.stream().map(ApiDescription::file).reduce(JsonObject.EMPTY, (all, file) -> joined(all, file, ""));
    }

    /** Objects are joined; anything else is said in one file only. */
    private static JsonObject joined(JsonObject one, JsonObject other, String at) {
        var all = new LinkedHashMap<>(one.members());
        other.members()
                .forEach((name, value) ->
                        all.merge(name, value, (before, more) -> joined(before, more, at + "/" + name)));
        var json = JsonObject.builder();
        all.forEach(json::put);
        return json.build();
    }

    private static JsonValue joined(JsonValue one, JsonValue other, String at) {
        if (one instanceof JsonObject object && other instanceof JsonObject more) {
            return joined(object, more, at);
        }
        throw new IllegalStateException("described twice: " + at);
    }

    private static JsonObject file(String name) {
        String path = "/openapi/" + name + ".yaml";
        try (var in = ApiDescription.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("not shipped: " + path);
            }
            var settings = LoadSettings.builder().setLabel(path).build();
            if (json(new Load(settings).loadFromInputStream(in)) instanceof JsonObject object) {
                return object;
            }
            throw new IllegalStateException("not an object: " + path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonValue json(@Nullable Object yaml) {
        return switch (yaml) {
            case null -> JsonNull.NULL;
            case Map<?, ?> map -> {
                var object = JsonObject.builder();
                map.forEach((name, value) -> object.put((String) name, json(value)));
                yield object.build();
            }
            case List<?> list ->
                new JsonArray(list.stream().map(ApiDescription::json).toList());
            case String text -> new JsonString(text);
            case Boolean bool -> new JsonBool(bool);
            case Number number -> new JsonNumber(number.doubleValue());
            default -> throw new IllegalStateException("not JSON: " + yaml.getClass());
        };
    }
}
