package dev.nonbis.server.ui;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonValue;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Router;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The API, called inside the process with the visitor's credential. Roles, tenants and refusals are therefore the API's own. */
final class Api {

    private final Router router;
    private final RequestIds ids;

    Api(Router router, RequestIds ids) {
        this.router = router;
        this.ids = ids;
    }

    // What callers and workers sent, which may be large.
    private static final Set<String> CONTENT = Set.of("prompt", "input", "result", "request");

    /**
     * What the API said.
     *
     * @param json without the content that callers and workers sent
     */
    record Answer(int status, JsonObject json, Map<String, JsonSlice> content) {

        static Answer of(Response response) {
            var json = JsonObject.builder();
            var content = new HashMap<String, JsonSlice>();
            JsonSlice.members(response.body()).forEach((name, value) -> {
                if (CONTENT.contains(name)) {
                    content.put(name, value);
                } else {
                    json.put(name, value.parse());
                }
            });
            return new Answer(response.status(), json.build(), content);
        }

        /** A member of the content over several lines, or its beginning. */
        Optional<String> pretty(String name) {
            return Optional.ofNullable(content.get(name)).map(PrettyJson::of);
        }

        /** A text of the content, or its beginning. */
        Optional<String> text(String name) {
            return Optional.ofNullable(content.get(name))
                    .map(slice -> slice.length() <= PrettyJson.MAX_BYTES
                                    && slice.parse() instanceof JsonValue.JsonString(var text)
                            ? text
                            : PrettyJson.of(slice));
        }

        boolean isGood() {
            return status < 400;
        }

        List<JsonObject> items() {
            return json.array("items").map(JsonArray::items).orElse(List.of()).stream()
                    .filter(JsonObject.class::isInstance)
                    .map(JsonObject.class::cast)
                    .toList();
        }

        Optional<String> next() {
            return json.string("next");
        }

        /** The refusal in one sentence, its code at the end. */
        String why() {
            return json.string("detail").orElse("The server refused.") + " ("
                    + json.string("code").orElse(String.valueOf(status)) + ")";
        }
    }

    Answer get(Visit visit, String path) {
        return send(visit, "GET", path, Map.of(), Optional.empty());
    }

    Answer get(Visit visit, String path, Map<String, String> query) {
        return send(visit, "GET", path, query, Optional.empty());
    }

    Answer post(Visit visit, String path, JsonObject body) {
        return send(visit, "POST", path, Map.of(), Optional.of(body));
    }

    Answer delete(Visit visit, String path, JsonObject body) {
        return send(visit, "DELETE", path, Map.of(), Optional.of(body));
    }

    private Answer send(Visit visit, String method, String path, Map<String, String> query, Optional<JsonObject> body) {
        var headers = new HashMap<String, List<String>>();
        headers.put("authorization", List.of("Bearer " + visit.session().token()));
        visit.request().header("traceparent").ifPresent(trace -> headers.put("traceparent", List.of(trace)));
        body.ifPresent(json -> headers.put("content-type", List.of(Response.JSON)));
        var parameters = new LinkedHashMap<String, List<String>>();
        query.forEach((name, value) -> parameters.put(name, List.of(value)));
        byte[] bytes = body.map(Json::write).orElse(new byte[0]);
        var response = router.handle(new Request(ids.next(), method, path, Map.of(), parameters, headers, bytes));
        return Answer.of(response);
    }
}
