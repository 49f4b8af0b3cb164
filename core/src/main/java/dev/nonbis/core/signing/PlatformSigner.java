package dev.nonbis.core.signing;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;

/** Signs with what every Java platform has. */
final class PlatformSigner implements RawSigner {

    private final PrivateKey key;

    PlatformSigner(byte[] seed) {
        try {
            this.key = KeyFactory.getInstance("Ed25519")
                    .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must offer Ed25519", e);
        }
    }

    @Override
    public byte[] sign(byte[] message) {
        try {
            var signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (InvalidKeyException e) {
            throw new IllegalStateException("a key that was taken cannot sign", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must offer Ed25519", e);
        }
    }
}
