package dev.nonbis.server.http.nats;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.BodyCost;
import dev.nonbis.server.http.Incoming;
import dev.nonbis.server.http.MemoryBudget;
import dev.nonbis.server.http.QueryString;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Router;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Answers requests on one subject. Method and path stand in headers of their own, all other headers mean what they mean over HTTP. Servers
 * form a queue group, so that one of them answers.
 */
public final class NatsApi {

    public static final String SUBJECT = "nonbis.api";
    static final String METHOD = "Nonbis-Method";
    static final String PATH = "Nonbis-Path";
    static final String STATUS = "Nonbis-Status";

    private static final Logger LOG = System.getLogger(NatsApi.class.getName());
    private static final String GROUP = "nonbis";
    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final int MAX_AT_ONCE = 512;

    private final Router router;
    private final RequestIds ids;
    private final MemoryBudget memory;
    private final Semaphore places = new Semaphore(MAX_AT_ONCE);

    public NatsApi(Router router, RequestIds ids, MemoryBudget memory) {
        this.router = router;
        this.ids = ids;
        this.memory = memory;
    }

    /** Answers what comes over this connection for as long as it lives. */
    public void listen(Connection connection) {
        connection.createDispatcher(message -> accept(connection, message)).subscribe(SUBJECT, GROUP);
    }

    private void accept(Connection connection, Message message) {
        if (message.getReplyTo() == null) {
            return;
        }
        String id = ids.next();
        if (!places.tryAcquire()) {
            reply(connection, message, overloaded(id));
            return;
        }
        Thread.ofVirtual().start(() -> {
            try (var account = memory.open()) {
                reply(connection, message, answer(message, id, account));
            } finally {
                places.release();
            }
        });
    }

    private Response answer(Message message, String id, MemoryBudget.Account account) {
        if (message.getData().length > MAX_BODY_BYTES) {
            return refused(ProblemCode.BODY_TOO_LARGE, "The body is larger than 1 MiB.", id);
        }
        var headers = headers(message);
        String target = first(headers, PATH).orElse("/");
        int mark = target.indexOf('?');
        var query = QueryString.parse(mark < 0 ? "" : target.substring(mark + 1));
        if (query.isEmpty()) {
            return refused(ProblemCode.INVALID_QUERY, "The query cannot be decoded.", id);
        }
        var request = new Request(
                id,
                first(headers, METHOD).orElse("GET"),
                mark < 0 ? target : target.substring(0, mark),
                Map.of(),
                query.get(),
                headers,
                Request.NO_BODY,
                Optional.of(account));
        var response = router.handle(request, new Incoming() {
            @Override
            public void authenticated(Actor actor) {
                account.belongsTo(actor.tenant());
            }

            @Override
            public byte[] body(int maxBytes) {
                account.charge(new BodyCost().of(ByteBuffer.wrap(message.getData())));
                return message.getData();
            }
        });
        account.set(response.body().length);
        return response;
    }

    private static Map<String, List<String>> headers(Message message) {
        var all = new HashMap<String, List<String>>();
        if (message.hasHeaders()) {
            message.getHeaders().forEach((name, values) -> all.put(name.toLowerCase(Locale.ROOT), List.copyOf(values)));
        }
        return all;
    }

    private static Optional<String> first(Map<String, List<String>> headers, String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream()
                .findFirst();
    }

    private static void reply(Connection connection, Message to, Response response) {
        var headers = new Headers()
                .add(STATUS, Integer.toString(response.status()))
                .add("Content-Type", response.contentType());
        response.headers().forEach(headers::add);
        try {
            connection.publish(to.getReplyTo(), headers, response.body());
        } catch (IllegalStateException | IllegalArgumentException e) {
            // The caller hears nothing and sends the same again, which is safe.
            LOG.log(Level.DEBUG, "an answer was lost: {0}", e.getMessage());
        }
    }

    private static Response overloaded(String id) {
        return Response.problem(
                        Problem.of(ProblemCode.OVERLOADED, "Too many requests are under way.")
                                .after(Duration.ofSeconds(1)),
                        id)
                .with(Router.REQUEST_ID, id);
    }

    private static Response refused(ProblemCode code, String detail, String id) {
        return Response.problem(Problem.of(code, detail), id).with(Router.REQUEST_ID, id);
    }
}
