package dev.nonbis.server.http;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One HTTP response as handlers make it. */
@SuppressWarnings("ArrayRecordComponent") // Bytes are handed over, never shared or compared.
public record Response(
        int status, String contentType, Map<String, String> headers, byte[] body, Optional<Stream> stream) {

    public static final String JSON = "application/json";
    public static final String PROBLEM_JSON = "application/problem+json";

    /** A body that is written piece by piece, on the connection's own thread, for as long as this takes. */
    @FunctionalInterface
    public interface Stream {

        /** What is flushed is on its way; a client that reads slowly makes the writing wait. */
        void writeTo(OutputStream out) throws IOException;
    }

    public Response(int status, String contentType, Map<String, String> headers, byte[] body) {
        this(status, contentType, headers, body, Optional.empty());
    }

    public static Response streamed(String contentType, Stream stream) {
        return new Response(200, contentType, Map.of(), new byte[0], Optional.of(stream));
    }

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
        return new Response(
                status, contentType, headers.isEmpty() ? Map.of(name, value) : and(name, value), body, stream);
    }

    private Map<String, String> and(String name, String value) {
        var all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return all;
    }
}
