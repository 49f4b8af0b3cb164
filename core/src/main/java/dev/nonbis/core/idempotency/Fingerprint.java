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
    private static final String VERSION_2 = "v2:";
    private static final byte[] BODY = "{\"body\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PATH = ",\"path\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "}".getBytes(StandardCharsets.US_ASCII);

    /**
     * The body's own digest, which every submission has anyway, or where there are path parameters the digest of that one's hex digits and
     * of the parameters' canonical form. No canonical body begins like those, so that the two cannot be taken for each other.
     *
     * @param requestHash the hex digits of the digest of the canonical body
     */
    public static Fingerprint of(String requestHash, Map<String, String> pathParams) {
        return new Fingerprint(
                VERSION_2 + (pathParams.isEmpty() ? requestHash : Sha256.hex(ascii(requestHash), path(pathParams))));
    }

    /** Whether the same algorithm made both, so that they can be compared. */
    public boolean isOfVersion(Fingerprint other) {
        return value.startsWith(VERSION_1) == other.value.startsWith(VERSION_1);
    }

    /** Whether it was made of this request, in whichever version. */
    public boolean isOf(byte[] canonicalBody, Map<String, String> pathParams) {
        return equals(
                value.startsWith(VERSION_1)
                        ? version1(canonicalBody, pathParams)
                        : of(Sha256.hex(canonicalBody), pathParams));
    }

    /** The digest of the canonical form of {@code {"body": …, "path": …}}, put together from its canonical parts. */
    private static Fingerprint version1(byte[] canonicalBody, Map<String, String> pathParams) {
        return new Fingerprint(VERSION_1 + Sha256.hex(BODY, canonicalBody, PATH, path(pathParams), END));
    }

    private static byte[] path(Map<String, String> pathParams) {
        var path = JsonObject.builder();
        new TreeMap<>(pathParams).forEach(path::put);
        return Json.canonical(path.build());
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
