package dev.nonbis.server.http;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requests as the socket shell would make them. */
final class Requests {

    private Requests() {}

    static Request get(String path) {
        return request("GET", path, "");
    }

    static Request post(String path, String body) {
        return request("POST", path, body);
    }

    static Request request(String method, String path, String body) {
        return new Request("req_1", method, path, Map.of(), Map.of(), Map.of(), body.getBytes(StandardCharsets.UTF_8));
    }

    static Request with(Request request, String name, String... values) {
        var headers = new TreeMap<>(request.headers());
        headers.put(name, List.of(values));
        return new Request(
                request.id(), request.method(), request.path(), Map.of(), request.query(), headers, request.body());
    }

    static JsonObject json(Response response) {
        return (JsonObject) Json.parse(response.body());
    }

    static String code(Response response) {
        return json(response).string("code").orElse("");
    }
}
