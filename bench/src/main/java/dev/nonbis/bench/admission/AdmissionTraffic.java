package dev.nonbis.bench.admission;

import static dev.nonbis.bench.load.RequestTemplate.SLOT;

import dev.nonbis.bench.load.Expected;
import dev.nonbis.bench.load.Phase;
import dev.nonbis.bench.load.RequestTemplate;
import dev.nonbis.bench.measure.Scenario;
import dev.nonbis.bench.measure.Subject;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The requests of the admission bench. Key number n always has the same body, so that any earlier number can be replayed. */
public final class AdmissionTraffic {

    // About as long as the server's compiler needs to notice what runs often.
    private static final long KEYS_OF_A_WARM_UP_TURN = 30_000;

    private final String host;
    private final String token;
    private final String keyPrefix;
    private final Order order;
    private final SplittableRandom random = new SplittableRandom(42);
    private long created;
    private long reach = Long.MAX_VALUE;

    /** In which order new keys come, as a database sorts them. */
    public enum Order {
        /** Each behind all before it, as with a counter or a time in front. */
        RISING,
        /** Each somewhere among those before it, as with random ones. */
        SCATTERED;

        // Odd, so that no two numbers below the limit become one.
        private static final long SCATTER = 0x9E37_79B9_7F4A_7C15L;
        private static final long BELOW = 1L << 39;

        /** What stands in key number n. */
        long number(long n) {
            return this == RISING ? n : n * SCATTER & BELOW - 1;
        }
    }

    /** The prefix makes the keys differ from those of an earlier run against the same server. */
    public AdmissionTraffic(Subject subject, String keyPrefix, Order order) {
        this.host = subject.host();
        this.token = subject.token();
        this.keyPrefix = keyPrefix;
        this.order = order;
    }

    /** What is special about it, behind what the server is. */
    String words() {
        return order == Order.RISING ? "" : ", scattered keys";
    }

    /** How many keys the server has taken; every request that was sent has its answer between two phases. */
    public long created() {
        return created;
    }

    /** From now on replays and mismatches name one of so many keys, the newest ones. */
    void repeatLast(long keys) {
        reach = keys;
    }

    public Scenario scenario(boolean withNoop) {
        return new Scenario(
                "admission", withNoop ? Optional.of(noop()) : Optional.empty(), List.of(fresh(), replay(), mismatch()));
    }

    /** The same with few new keys at a time, so that the store is small when the server is warm. */
    Scenario warmUp(boolean withNoop) {
        var fresh = fresh();
        var few = new Phase(fresh.name(), fresh.requests(), fresh.expected(), () -> KEYS_OF_A_WARM_UP_TURN);
        return new Scenario(
                "warm-up", withNoop ? Optional.of(noop()) : Optional.empty(), List.of(few, replay(), mismatch()));
    }

    /** Of the scenario what adds nothing to the store. */
    Scenario repeats() {
        return new Scenario("admission", Optional.empty(), List.of(replay(), mismatch()));
    }

    /** The same bytes to a path that authenticates and answers without parsing or storing. */
    Phase noop() {
        var template = template("/api/v1/noop", 25);
        return new Phase("no-op", into -> template.write(0, into), new Expected(200, false));
    }

    public Phase fresh() {
        var template = template("/api/v1/jobs", 25);
        return new Phase("fresh", into -> template.write(order.number(created++), into), new Expected(200, false));
    }

    Phase replay() {
        var template = template("/api/v1/jobs", 25);
        return new Phase("replay", into -> template.write(order.number(earlier()), into), new Expected(200, true));
    }

    Phase mismatch() {
        var template = template("/api/v1/jobs", 26);
        return new Phase("mismatch", into -> template.write(order.number(earlier()), into), new Expected(422, false));
    }

    private long earlier() {
        return created - 1 - random.nextLong(Math.min(created, reach));
    }

    private RequestTemplate template(String path, int limit) {
        var head = """
                POST %s HTTP/1.1
                Host: %s
                Authorization: Bearer %s
                Idempotency-Key: "%s-%s"
                """.formatted(path, host, token, keyPrefix, SLOT);
        var body = """
                {"topic":"job.default","prompt":"Summarise the open invoices of customer %s and list those that are due",\
                "input":{"customer":"c-%s","limit":%d,"since":"2026-01-01T00:00:00Z"},\
                "labels":{"team":"billing","origin":"bench"}}""".formatted(SLOT, SLOT, limit);
        return RequestTemplate.of(head, body);
    }
}
