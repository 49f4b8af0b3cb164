package dev.nonbis.server.http;

import com.nimbusds.jwt.SignedJWT;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.function.Predicate;

/** Checks EdDSA signatures with the JDK's Ed25519, which the JOSE library would take from one more dependency. */
final class Ed25519Signed implements Predicate<SignedJWT> {

    /** What an X.509 public key says before the 32 bytes of an Ed25519 key (RFC 8410). */
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final int KEY_BYTES = 32;

    private final PublicKey key;

    Ed25519Signed(byte[] publicKey) {
        if (publicKey.length != KEY_BYTES) {
            throw new IllegalArgumentException("an Ed25519 key has 32 bytes");
        }
        var encoded = new byte[X509_PREFIX.length + KEY_BYTES];
        System.arraycopy(X509_PREFIX, 0, encoded, 0, X509_PREFIX.length);
        System.arraycopy(publicKey, 0, encoded, X509_PREFIX.length, KEY_BYTES);
        try {
            this.key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not an Ed25519 key", e);
        }
    }

    @Override
    public boolean test(SignedJWT token) {
        try {
            var signature = Signature.getInstance("Ed25519");
            signature.initVerify(key);
            signature.update(token.getSigningInput());
            return signature.verify(token.getSignature().decode());
        } catch (GeneralSecurityException malformed) {
            return false;
        }
    }
}
