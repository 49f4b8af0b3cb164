package dev.nonbis.bench.process;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** An API key with every role in one tenant. */
public record Credential(String tenant, String subject, String token) {

    /** A key that is worth nothing outside the throw-away server it is made for. */
    public static Credential forTenant(String tenant) {
        return new Credential(tenant, "bench-" + tenant, "bench-token-of-" + tenant);
    }

    /** One of several people of a tenant. */
    public static Credential of(String tenant, String subject) {
        return new Credential(tenant, subject, "bench-token-of-" + subject + "-of-" + tenant);
    }

    String configEntry() {
        return "    - {subject: " + subject + ", tenant: " + tenant + ", roles: [admin], sha256: \"" + sha256()
                + "\"}\n";
    }

    private String sha256() {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform must offer SHA-256", e);
        }
    }
}
