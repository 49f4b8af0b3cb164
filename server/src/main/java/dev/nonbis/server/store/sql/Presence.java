package dev.nonbis.server.store.sql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which rows a table may have, in a few bits each (a Bloom filter): what it surely has not need not be looked for on the disk. Most
 * requests bring a new key, so most looks would find nothing.
 *
 * <p>It answers only once it knows every row that was there before it. Rows that are gone stay in it and cost a look.
 */
final class Presence {

    // Eight MiB: one look in a thousand is in vain with a million rows, one in fourteen with ten million.
    private static final int WORDS = 1 << 20;
    private static final int WORD_BITS = 6;
    private static final int SECOND_BIT = 32;
    private static final long SEED = 0xcbf29ce484222325L;
    private static final long PRIME = 0x9e3779b97f4a7c15L;
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] bits = new long[WORDS];
    private volatile boolean complete;

    void add(String key) {
        long hash = hash(key);
        set(hash);
        set(hash >>> SECOND_BIT);
    }

    /** Every row that was there is in it now. */
    void complete() {
        complete = true;
    }

    boolean surelyAbsent(String key) {
        if (!complete) {
            return false;
        }
        long hash = hash(key);
        return !isSet(hash) || !isSet(hash >>> SECOND_BIT);
    }

    private void set(long hash) {
        WORD.getAndBitwiseOr(bits, word(hash), 1L << hash);
    }

    private boolean isSet(long hash) {
        return ((long) WORD.getAcquire(bits, word(hash)) & (1L << hash)) != 0;
    }

    private static int word(long hash) {
        return (int) (hash >>> WORD_BITS) & (WORDS - 1);
    }

    // Texts know their hash; what two of them share costs a look in vain.
    static long hash(String key) {
        long hash = (key.hashCode() + SEED) * PRIME;
        return (hash ^ hash >>> SECOND_BIT) * PRIME;
    }
}
