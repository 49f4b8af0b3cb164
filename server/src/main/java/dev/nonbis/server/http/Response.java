package dev.nonbis.server.http;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonValue;
import java.util.LinkedHashMap;
import java.util.Map;

/** One HTTP response as handlers make it. */
public record Response(int status, String contentType, Map<String, String> headers, byte[] body) {

    public static final String JSON = "application/json";
    public static final String PROBLEM_JSON = "application/problem+json";

    public static Response json(int status, JsonValue body) {
        return new Response(status, JSON, Map.of(), Json.write(body));
    }

    public Response with(String name, String value) {
        var all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new Response(status, contentType, all, body);
    }
}
