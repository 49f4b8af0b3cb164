package dev.nonbis.json;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** SHA-256, which every JDK has. */
public final class Sha256 {

    // Looking up the provider costs as much as a small digest does, so a few digests are kept; a caller that finds none
    // makes one.
    private static final int KEPT = 16;
    private static final AtomicReferenceArray<@Nullable MessageDigest> IDLE = new AtomicReferenceArray<>(KEPT);

    private Sha256() {}

    /** The digest of the parts, one after another. */
    public static byte[] of(byte[]... parts) {
        int place = (int) Thread.currentThread().threadId() & (KEPT - 1);
        MessageDigest kept = IDLE.getAndSet(place, null);
        MessageDigest digest = kept == null ? create() : kept;
        for (byte[] part : parts) {
            digest.update(part);
        }
        byte[] result = digest.digest();
        IDLE.lazySet(place, digest);
        return result;
    }

    /** Lowercase hex of the digest of the parts, one after another. */
    public static String hex(byte[]... parts) {
        return HexFormat.of().formatHex(of(parts));
    }

    private static MessageDigest create() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform must offer SHA-256", e);
        }
    }
}
