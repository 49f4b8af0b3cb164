package dev.nonbis.bench.admission;

import dev.nonbis.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** What the same Redis takes when it is only asked to keep one small value under a free key for each request, as redis-benchmark measures it. */
public final class RawSets implements RawLimit {

    // About as much text as a key with its answer.
    private static final String VALUE = "x".repeat(400);
    private static final String DATABASE = "1";
    private static final int FIRST_LOOK = 5_000;
    private static final Pattern RATE = Pattern.compile("([0-9.]+) requests per second");

    private final RedisServer redis;
    private final int clients;
    private final int seconds;

    public RawSets(RedisServer redis, int clients, int seconds) {
        this.redis = redis;
        this.clients = clients;
        this.seconds = seconds;
    }

    @Override
    public String words() {
        return "SET NX by redis-benchmark";
    }

    @Override
    public OptionalDouble promised() {
        return OptionalDouble.empty();
    }

    /** The tool counts requests and not seconds, so a short look says how many fill the time. */
    @Override
    public double perSecond() throws IOException {
        try {
            return rate(Math.max(FIRST_LOOK, (long) (rate(FIRST_LOOK) * seconds)));
        } finally {
            redis.command("-n", DATABASE, "FLUSHDB");
        }
    }

    private double rate(long requests) throws IOException {
        var said = redis.benchmark(
                "--dbnum",
                DATABASE,
                "-c",
                Integer.toString(clients),
                "-n",
                Long.toString(requests),
                "-r",
                "1000000000",
                "-q",
                "SET",
                "acme/jobs/__rand_int__",
                VALUE,
                "NX");
        var rate = RATE.matcher(said);
        double last = -1;
        while (rate.find()) {
            last = Double.parseDouble(rate.group(1));
        }
        if (last < 0) {
            throw new IOException("redis-benchmark told no rate: " + said);
        }
        return last;
    }
}
