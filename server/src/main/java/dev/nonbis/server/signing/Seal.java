package dev.nonbis.server.signing;

import dev.nonbis.core.signing.KeyRing;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Texts that only servers with the same signing key can read and make, for cookies. A restart changes nothing, and any of several servers
 * opens what another has sealed; a new signing key ends all of it.
 */
public final class Seal {

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec key;
    private final SecretKeySpec macKey;

    public Seal(KeyRing keys) {
        this.key = new SecretKeySpec(keys.derived("sealed cookies"), "AES");
        this.macKey = new SecretKeySpec(keys.derived("tokens of forms"), "HmacSHA256");
    }

    /** The purpose is part of the seal: what was sealed for one cannot be opened for another. */
    public String close(String purpose, String text) {
        byte[] nonce = bytes(NONCE_BYTES);
        byte[] hidden = run(Cipher.ENCRYPT_MODE, nonce, purpose, text.getBytes(StandardCharsets.UTF_8))
                .orElseThrow(() -> new IllegalStateException("this platform cannot encrypt with " + CIPHER));
        byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + hidden.length);
        System.arraycopy(hidden, 0, all, NONCE_BYTES, hidden.length);
        return text(all);
    }

    public Optional<String> open(String purpose, String sealed) {
        byte[] all;
        try {
            all = Base64.getUrlDecoder().decode(sealed);
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
        // A decoder takes several texts for the same bytes; only one of them is ours.
        if (all.length <= NONCE_BYTES || !text(all).equals(sealed)) {
            return Optional.empty();
        }
        byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
        return run(Cipher.DECRYPT_MODE, nonce, purpose, Arrays.copyOfRange(all, NONCE_BYTES, all.length))
                .map(text -> new String(text, StandardCharsets.UTF_8));
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A text that follows from this one and that nobody else can work out. */
    public String derived(String purpose, String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(macKey);
            return HexFormat.of().formatHex(mac.doFinal((purpose + "\n" + text).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this platform has no HMAC with SHA-256", e);
        }
    }

    /** A text that nobody can guess. */
    public String drawn() {
        return HexFormat.of().formatHex(bytes(32));
    }

    private Optional<byte[]> run(int mode, byte[] nonce, String purpose, byte[] text) {
        try {
            var cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
            return Optional.of(cipher.doFinal(text));
        } catch (GeneralSecurityException notOurs) {
            return Optional.empty();
        }
    }

    private byte[] bytes(int count) {
        var bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
