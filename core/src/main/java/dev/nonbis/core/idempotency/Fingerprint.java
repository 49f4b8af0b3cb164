package dev.nonbis.core.idempotency;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What makes two requests the same: a digest of body and path parameters, with the version of the algorithm in front. A stored
 * fingerprint is compared by the algorithm that made it, so that a new one never turns an old key into a mismatch.
 */
public record Fingerprint(String value) {

    private static final String VERSION_1 = "v1:";
    private static final byte[] BODY = "{\"body\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PATH = ",\"path\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_PATH = "{}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "}".getBytes(StandardCharsets.US_ASCII);

    /** The digest of the canonical form of {@code {"body": …, "path": …}}, put together from its canonical parts. */
    public static Fingerprint of(byte[] canonicalBody, Map<String, String> pathParams) {
        return new Fingerprint(VERSION_1 + Sha256.hex(BODY, canonicalBody, PATH, path(pathParams), END));
    }

    private static byte[] path(Map<String, String> pathParams) {
        if (pathParams.isEmpty()) {
            return NO_PATH;
        }
        var path = JsonObject.builder();
        new TreeMap<>(pathParams).forEach(path::put);
        return Json.canonical(path.build());
    }
}
