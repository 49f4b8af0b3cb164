package dev.nonbis.bench.sim;

import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.json.JsonObject;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.SplittableRandom;

/** The same key each time, so that a history has the same receipts whenever it is told again. It signs nothing but simulations. */
final class KnownKey {

    private static final int BYTES = 32;

    private KnownKey() {}

    static SigningKey make() {
        try {
            var generator = KeyPairGenerator.getInstance("Ed25519");
            generator.initialize(NamedParameterSpec.ED25519, new NoChance());
            var pair = generator.generateKeyPair();
            byte[] encoded = pair.getPublic().getEncoded();
            byte[] seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
            var text = Base64.getUrlEncoder().withoutPadding();
            var jwk = JsonObject.builder()
                    .put("kty", "OKP")
                    .put("crv", "Ed25519")
                    .put("x", text.encodeToString(Arrays.copyOfRange(encoded, encoded.length - BYTES, encoded.length)))
                    .put("d", text.encodeToString(seed))
                    .build();
            return SigningKey.ofJwk(jwk).orElseThrow();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform must offer Ed25519", e);
        }
    }

    private static final class NoChance extends SecureRandom {

        private static final long serialVersionUID = 1L;

        @Override
        public void nextBytes(byte[] bytes) {
            new SplittableRandom(1).nextBytes(bytes);
        }
    }
}
