package dev.nonbis.core.signing;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** The half of an Ed25519 key that checks. Its id is the RFC 7638 thumbprint, so that an id never names two keys. */
public final class PublicKey {

    static final int BYTES = 32;

    /** What an X.509 public key says before the 32 bytes of an Ed25519 key (RFC 8410). */
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final java.security.PublicKey key;
    private final String x;
    private final String id;

    PublicKey(byte[] point) throws GeneralSecurityException {
        var encoded = new byte[X509_PREFIX.length + BYTES];
        System.arraycopy(X509_PREFIX, 0, encoded, 0, X509_PREFIX.length);
        System.arraycopy(point, 0, encoded, X509_PREFIX.length, BYTES);
        this.key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
        this.x = BASE64.encodeToString(point);
        this.id = BASE64.encodeToString(Sha256.of(Json.canonical(essence())));
    }

    /** Reads a JWK of this kind; empty when it is none. */
    public static Optional<PublicKey> ofJwk(JsonObject jwk) {
        boolean ofThisKind = jwk.string("kty").equals(Optional.of("OKP"))
                && jwk.string("crv").equals(Optional.of("Ed25519"));
        return ofThisKind ? jwk.string("x").flatMap(PublicKey::decode).flatMap(PublicKey::ofPoint) : Optional.empty();
    }

    private static Optional<PublicKey> ofPoint(byte[] point) {
        try {
            return point.length == BYTES ? Optional.of(new PublicKey(point)) : Optional.empty();
        } catch (GeneralSecurityException notOnTheCurve) {
            return Optional.empty();
        }
    }

    public String id() {
        return id;
    }

    public JsonObject toJwk() {
        return JsonObject.builder()
                .put("kty", "OKP")
                .put("crv", "Ed25519")
                .put("kid", id)
                .put("use", "sig")
                .put("alg", "EdDSA")
                .put("x", x)
                .build();
    }

    boolean isSigned(byte[] message, byte[] signature) {
        try {
            var check = Signature.getInstance("Ed25519");
            check.initVerify(key);
            check.update(message);
            return check.verify(signature);
        } catch (GeneralSecurityException malformed) {
            return false;
        }
    }

    /** Strict: of all the texts that a lenient reader takes for the same bytes, only the one that we would write. */
    static Optional<byte[]> decode(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            return BASE64.encodeToString(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private JsonObject essence() {
        return JsonObject.builder()
                .put("crv", "Ed25519")
                .put("kty", "OKP")
                .put("x", x)
                .build();
    }
}
