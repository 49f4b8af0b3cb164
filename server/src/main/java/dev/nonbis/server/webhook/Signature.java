package dev.nonbis.server.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Secrets and signatures by the Standard Webhooks specification, version 1. */
public final class Signature {

    private static final String PREFIX = "whsec_";
    private static final int SECRET_BYTES = 32;

    private Signature() {}

    /** A secret that nobody has yet. */
    public static String newSecret() {
        var bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /** The value of {@code webhook-signature}. */
    static String of(String secret, String id, long seconds, byte[] body) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(PREFIX.length())), "HmacSHA256"));
            mac.update((id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this platform has no HMAC with SHA-256", e);
        }
    }
}
