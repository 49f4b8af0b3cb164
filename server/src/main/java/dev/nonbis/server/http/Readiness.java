package dev.nonbis.server.http;

import dev.nonbis.json.JsonObject;

/** Whether this server can do its work now, with what was looked at. */
public record Readiness(boolean ready, JsonObject checks) {

    Response toResponse() {
        var body = JsonObject.builder()
                .put("status", ready ? "ready" : "not_ready")
                .put("checks", checks)
                .build();
        return Response.json(ready ? 200 : 503, body).with("Cache-Control", "no-store");
    }
}
