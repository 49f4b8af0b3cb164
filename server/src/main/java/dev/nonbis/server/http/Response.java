package dev.nonbis.server.http;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonValue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** One HTTP response as handlers make it. */
@SuppressWarnings("ArrayRecordComponent") // Bytes are handed over, never shared or compared.
public record Response(int status, String contentType, Map<String, String> headers, byte[] body) {

    public static final String JSON = "application/json";
    public static final String PROBLEM_JSON = "application/problem+json";

    public static Response json(int status, JsonValue body) {
        return new Response(status, JSON, Map.of(), Json.write(body));
    }

    /** The problem's answer to the request with this id. */
    public static Response problem(Problem problem, String requestId) {
        var headers = problem.retryAfter()
                .map(wait -> Map.of("Retry-After", Long.toString(wholeSeconds(wait))))
                .orElse(Map.of());
        return new Response(problem.code().status(), PROBLEM_JSON, headers, Json.write(problem.toJson(requestId)));
    }

    /** Rounded up: a client that waits this long has waited long enough. */
    private static long wholeSeconds(Duration wait) {
        return Math.max(1, Math.ceilDiv(wait.toMillis(), 1000));
    }

    public Response with(String name, String value) {
        var all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new Response(status, contentType, all, body);
    }
}
