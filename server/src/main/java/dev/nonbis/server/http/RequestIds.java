package dev.nonbis.server.http;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** Makes request ids that sort by time: milliseconds, a number drawn once per process, a counter. */
public final class RequestIds {

    private static final char[] DIGITS = "0123456789abcdefghjkmnpqrstvwxyz".toCharArray();
    private static final String PREFIX = "req_";

    private final InstantSource clock;
    private final long process = new SecureRandom().nextLong();
    private final AtomicLong counter = new AtomicLong();

    public RequestIds(InstantSource clock) {
        this.clock = clock;
    }

    public String next() {
        var id = new char[PREFIX.length() + 26];
        PREFIX.getChars(0, PREFIX.length(), id, 0);
        write(clock.millis(), id, PREFIX.length(), 10);
        write(process, id, PREFIX.length() + 10, 8);
        write(counter.getAndIncrement(), id, PREFIX.length() + 18, 8);
        return new String(id);
    }

    private static void write(long number, char[] into, int from, int digits) {
        long rest = number;
        for (int i = from + digits - 1; i >= from; i--) {
            into[i] = DIGITS[(int) (rest & 31)];
            rest >>>= 5;
        }
    }
}
