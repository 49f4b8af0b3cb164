package dev.nonbis.client;

import java.security.SecureRandom;

/** Makes idempotency keys: 26 characters in the form of a ULID, sortable by the time they were made. */
public final class IdempotencyKeys {

    private static final char[] CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();
    private static final SecureRandom RANDOM = new SecureRandom();

    private IdempotencyKeys() {}

    /** A key that nobody else has. */
    public static String next() {
        var key = new char[26];
        var millis = System.currentTimeMillis();
        for (var i = 9; i >= 0; i--) {
            key[i] = CROCKFORD[(int) (millis & 31)];
            millis >>>= 5;
        }
        for (var i = 10; i < key.length; i++) {
            key[i] = CROCKFORD[RANDOM.nextInt(32)];
        }
        return new String(key);
    }
}
