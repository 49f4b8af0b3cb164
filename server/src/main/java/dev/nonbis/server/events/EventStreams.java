package dev.nonbis.server.events;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Server-sent events over HTTP. The id of an event is its place in the tenant's audit log, which has no gaps, so that whoever names the
 * last id it has seen is told everything behind it.
 */
public final class EventStreams implements AutoCloseable {

    public static final String OPERATION = "streamEvents";

    static final int MAX_STREAMS = 512;
    static final int MAX_OF_A_TENANT = 128;

    private static final Map<String, String> HEADERS =
            Map.of("Cache-Control", "no-store", "X-Accel-Buffering", "no", "X-Content-Type-Options", "nosniff");

    private final Store store;
    private final Pace pace;
    private final News news = new News();
    private final AtomicInteger open = new AtomicInteger();
    private final Map<TenantId, Integer> openByTenant = new ConcurrentHashMap<>();

    /**
     * How a stream keeps time.
     *
     * @param look how long after the last look it looks again by itself: another server may have written
     * @param between the least time between two looks, so that a busy store is not asked at every commit
     * @param beat how long a stream may be silent; a silent client that is gone is noticed by this
     * @param lifetime when a stream ends and the client comes back, with a credential that is then checked again
     */
    public record Pace(Duration look, Duration between, Duration beat, Duration lifetime) {

        public static final Pace USUAL =
                new Pace(Duration.ofSeconds(1), Duration.ofMillis(50), Duration.ofSeconds(15), Duration.ofMinutes(10));
    }

    public EventStreams(Store store) {
        this(store, Pace.USUAL);
    }

    EventStreams(Store store, Pace pace) {
        this.store = store;
        this.pace = pace;
    }

    public Route route() {
        return new Route(Method.GET, "/api/v1/events", Access.anyKnown(), OPERATION, this::stream);
    }

    /** Something was committed. */
    public void committed() {
        if (open.get() > 0) {
            news.tell();
        }
    }

    /** How many listen. */
    public int listeners() {
        return open.get();
    }

    /** Every stream ends soon. */
    @Override
    public void close() {
        news.close();
    }

    /** Answers with the events of the caller's tenant, from behind the one that the caller names. */
    public Response stream(Call call) {
        var query = Query.of(call, Set.of("after"));
        var tenant = call.actor().tenant();
        long after = call.request()
                .header("last-event-id")
                .or(() -> query.string("after"))
                .map(EventStreams::seq)
                .orElseGet(() -> head(tenant));
        if (call.request().method().equals("HEAD")) {
            return new Response(200, EventStream.CONTENT_TYPE, HEADERS, new byte[0]);
        }
        if (!take(tenant)) {
            throw new Refusal(Problem.of(ProblemCode.OVERLOADED, "Too many event streams are open.")
                    .after(Duration.ofSeconds(5)));
        }
        return new Response(200, EventStream.CONTENT_TYPE, HEADERS, new byte[0], Optional.of(out -> {
            try {
                new EventStream(store, tenant, news, pace).run(after, out);
            } finally {
                giveBack(tenant);
            }
        }));
    }

    private long head(TenantId tenant) {
        return store.find(Tables.TENANTS, tenant)
                .orElse(TenantState.NEW)
                .audit()
                .seq();
    }

    private boolean take(TenantId tenant) {
        if (open.incrementAndGet() > MAX_STREAMS) {
            open.decrementAndGet();
            return false;
        }
        if (openByTenant.merge(tenant, 1, Integer::sum) > MAX_OF_A_TENANT) {
            giveBack(tenant);
            return false;
        }
        return true;
    }

    private void giveBack(TenantId tenant) {
        open.decrementAndGet();
        openByTenant.computeIfPresent(tenant, (t, count) -> count == 1 ? null : count - 1);
    }

    private static long seq(String text) {
        try {
            long seq = Long.parseLong(text);
            if (seq >= 0) {
                return seq;
            }
        } catch (NumberFormatException notNumber) {
            // Refused below, like a negative one.
        }
        throw Query.invalid("after", "Expected the id of an event, here and in Last-Event-ID.");
    }
}
