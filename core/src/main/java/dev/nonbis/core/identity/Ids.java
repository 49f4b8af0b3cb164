package dev.nonbis.core.identity;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * New names for things: a prefix, then 48 bits of milliseconds and 80 bits of chance as 26 characters of base 32, so that they sort
 * by time and cannot be guessed.
 */
public final class Ids {

    private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
    private static final int TIME_DIGITS = 10;
    private static final int CHANCE_DIGITS = 16;
    private static final int POOLED_BYTES = 4096;
    // Callers on several threads seldom meet at the same pool.
    private static final int POOLS = 8;

    private final InstantSource clock;
    private final RandomGenerator chance;
    private final Pool[] pools;

    /** Ids that follow from the source of chance alone, whichever threads ask. */
    public Ids(InstantSource clock, RandomGenerator chance) {
        this(clock, chance, 1);
    }

    private Ids(InstantSource clock, RandomGenerator chance, int pools) {
        this.clock = clock;
        this.chance = chance;
        this.pools = new Pool[pools];
        Arrays.setAll(this.pools, i -> new Pool());
    }

    public static Ids secure(InstantSource clock) {
        return new Ids(clock, new SecureRandom(), POOLS);
    }

    public JobId job() {
        return new JobId(next(JobId.PREFIX));
    }

    public RunId run() {
        return new RunId(next(RunId.PREFIX));
    }

    public PaymentId payment() {
        return new PaymentId(next(PaymentId.PREFIX));
    }

    public String request() {
        return next("req_");
    }

    /** The name of an event that has to be known before the event's place in the chain is. */
    public String event() {
        return next("evt_");
    }

    /** The name of the event that follows this digest in the tenant's chain: the same place has the same name. */
    public static String event(Instant at, TenantId tenant, String prevHash) {
        byte[] place = HexFormat.of().parseHex(prevHash, 0, 20);
        byte[] name = tenant.value().getBytes(StandardCharsets.US_ASCII);
        // Before its first event every chain has the same digest, so the tenant is mixed in.
        for (int i = 0; i < name.length; i++) {
            place[i % place.length] = (byte) (place[i % place.length] * 31 + name[i]);
        }
        return format("evt_", at.toEpochMilli(), place);
    }

    /** A W3C trace id: 32 lowercase hex digits, never all zero. */
    public String trace() {
        var bytes = new byte[16];
        draw(bytes);
        bytes[0] |= 1;
        return HexFormat.of().formatHex(bytes);
    }

    private String next(String prefix) {
        var random = new byte[10];
        draw(random);
        return format(prefix, clock.millis(), random);
    }

    /** A name that sorts at this time and is otherwise given by these ten bytes. */
    static String format(String prefix, long millis, byte[] tenBytes) {
        int start = prefix.length();
        var text = new char[start + TIME_DIGITS + CHANCE_DIGITS];
        prefix.getChars(0, start, text, 0);
        for (int i = TIME_DIGITS - 1; i >= 0; i--) {
            text[start + i] = DIGITS[(int) (millis & 31)];
            millis >>>= 5;
        }
        // Each 5 bytes are 40 bits are 8 digits.
        for (int half = 0; half < 2; half++) {
            long bits = 0;
            for (int i = 0; i < 5; i++) {
                bits = bits << 8 | (tenBytes[half * 5 + i] & 0xff);
            }
            for (int i = 7; i >= 0; i--) {
                text[start + TIME_DIGITS + half * 8 + i] = DIGITS[(int) (bits & 31)];
                bits >>>= 5;
            }
        }
        return new String(text);
    }

    /** Whether the text is a name as this class makes them. */
    static boolean isValid(String prefix, String value) {
        if (value.length() != prefix.length() + TIME_DIGITS + CHANCE_DIGITS || !value.startsWith(prefix)) {
            return false;
        }
        for (int i = prefix.length(); i < value.length(); i++) {
            char c = value.charAt(i);
            if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z' && c != 'i' && c != 'l' && c != 'o' && c != 'u')) {
                return false;
            }
        }
        return true;
    }

    private void draw(byte[] target) {
        pools[(int) Thread.currentThread().threadId() & (pools.length - 1)].draw(target);
    }

    /** Chance drawn in bulk: one call to the operating system's source for hundreds of ids. */
    private final class Pool {

        private final byte[] bytes = new byte[POOLED_BYTES];
        private int used = POOLED_BYTES;

        synchronized void draw(byte[] target) {
            if (used + target.length > POOLED_BYTES) {
                chance.nextBytes(bytes);
                used = 0;
            }
            System.arraycopy(bytes, used, target, 0, target.length);
            used += target.length;
        }
    }
}
