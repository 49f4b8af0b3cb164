package dev.nonbis.server.api;

import dev.nonbis.server.http.Response;
import dev.nonbis.server.metrics.Metrics.Layer;
import java.util.LinkedHashMap;

/** Marks an answer as one that was given before. */
final class Replay {

    private Replay() {}

    static Response of(Response answer, String originalRequest, Layer layer) {
        var headers = new LinkedHashMap<>(answer.headers());
        headers.put("Idempotent-Replayed", "true");
        headers.put("Nonbis-Original-Request", originalRequest);
        headers.put("Nonbis-Blocked-By", layer.word());
        return new Response(answer.status(), answer.contentType(), headers, answer.body());
    }
}
