package dev.nonbis.core.idempotency;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.Sha256;
import java.util.Map;
import java.util.TreeMap;

/**
 * What makes two requests the same: a digest of body and path parameters, with the version of the algorithm in front. A stored
 * fingerprint is compared by the algorithm that made it, so that a new one never turns an old key into a mismatch.
 */
public record Fingerprint(String value) {

    private static final String VERSION_1 = "v1:";

    public static Fingerprint of(JsonValue body, Map<String, String> pathParams) {
        var path = JsonObject.builder();
        new TreeMap<>(pathParams).forEach(path::put);
        var both =
                JsonObject.builder().put("body", body).put("path", path.build()).build();
        return new Fingerprint(VERSION_1 + Sha256.hex(Json.canonical(both)));
    }
}
