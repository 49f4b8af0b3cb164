package dev.nonbis.core.signing;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.EdECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An Ed25519 key pair (RFC 8032). */
public final class SigningKey {

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final PublicKey publicKey;
    private final byte[] seed;
    private final RawSigner signer;

    private SigningKey(PublicKey publicKey, byte[] seed, RawSigner signer) {
        this.publicKey = publicKey;
        this.seed = seed;
        this.signer = signer;
    }

    /** A new pair from the platform's own source of chance. */
    public static SigningKey generate() {
        try {
            var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            byte[] encoded = pair.getPublic().getEncoded();
            var publicKey =
                    new PublicKey(Arrays.copyOfRange(encoded, encoded.length - PublicKey.BYTES, encoded.length));
            byte[] seed = ((EdECPrivateKey) pair.getPrivate())
                    .getBytes()
                    .orElseThrow(() -> new IllegalStateException("the platform keeps the new key to itself"));
            return new SigningKey(publicKey, seed, new PlatformSigner(seed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must offer Ed25519", e);
        }
    }

    /** Reads a private JWK (RFC 8037); empty when it is none, or when its two halves do not belong together. */
    public static Optional<SigningKey> ofJwk(JsonObject jwk) {
        return ofJwk(jwk, PlatformSigner::new);
    }

    /**
     * The same with another's signatures, of which the platform has to accept the first.
     *
     * @param signers makes what signs with the 32 bytes of a private key
     */
    public static Optional<SigningKey> ofJwk(JsonObject jwk, Function<byte[], RawSigner> signers) {
        var publicKey = PublicKey.ofJwk(jwk);
        var seed = jwk.string("d").flatMap(PublicKey::decode).filter(bytes -> bytes.length == PublicKey.BYTES);
        if (publicKey.isEmpty() || seed.isEmpty()) {
            return Optional.empty();
        }
        var signer = signers.apply(seed.get());
        byte[] probe = {1};
        return publicKey.get().isSigned(probe, signer.sign(probe))
                ? Optional.of(new SigningKey(publicKey.get(), seed.get(), signer))
                : Optional.empty();
    }

    public PublicKey publicKey() {
        return publicKey;
    }

    /** The private JWK: whoever has it can sign. */
    public JsonObject toPrivateJwk() {
        var jwk = JsonObject.builder();
        publicKey.toJwk().members().forEach(jwk::put);
        return jwk.put("d", BASE64.encodeToString(seed)).build();
    }

    /** A secret that follows from this key and from the purpose, and that tells nothing about the key or about other purposes. */
    byte[] derived(String purpose) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(seed, "HmacSHA256"));
            return mac.doFinal(("nonbis derived secret\n" + purpose).getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must offer HMAC with SHA-256", e);
        }
    }

    JsonObject sign(JsonObject unsigned) {
        var named = JsonObject.builder();
        unsigned.members().forEach(named::put);
        named.put(Signatures.KEY_ID, publicKey.id());
        String signature = BASE64.encodeToString(signer.sign(Json.canonical(named.build())));
        return named.put(Signatures.SIGNATURE, signature).build();
    }
}
