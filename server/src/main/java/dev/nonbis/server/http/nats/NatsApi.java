package dev.nonbis.server.http.nats;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.bus.nats.MalformedHeaders;
import dev.nonbis.server.http.Authenticator;
import dev.nonbis.server.http.BodyCost;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Incoming;
import dev.nonbis.server.http.MemoryBudget;
import dev.nonbis.server.http.QueryString;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.Router;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;

/**
 * Answers requests on one subject. Method and path stand in headers of their own, all other headers mean what they mean over HTTP. Servers
 * form a queue group, so that one of them answers.
 *
 * <pre>
 *   message ─▶ caller known? ─▶ reply subject an inbox of this caller? ─▶ a place and memory left? ─▶ router ─▶ answer to the inbox
 * </pre>
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
    private static final int MAX_WAITING = 4096;
    private static final int MAX_AUTHENTICATING = 32;
    private static final int MAX_PENDING = 4096;
    private static final long MAX_PENDING_BYTES = 16 << 20;
    private static final int PART_OF_HEAP = 8;
    private static final String MALFORMED = MalformedHeaders.MARK.toLowerCase(Locale.ROOT);
    private static final Pattern WORKERS_WORD = Pattern.compile("/api/v1/jobs/[^/]+/(start|heartbeat|result)");
    // What JetStream takes as a question is no answer of ours.
    private static final byte[] NOTHING = "{}".getBytes(StandardCharsets.US_ASCII);

    private final Parts parts;
    private final Semaphore authenticating = new Semaphore(MAX_AUTHENTICATING);
    private final Shares places = new Shares(MAX_AT_ONCE);
    private final Shares waiting = new Shares(MAX_WAITING);
    // What came and is held already, beside the budget for what is made of it.
    private final Shares bodies = new Shares(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);

    /** What the API over NATS works with. */
    public record Parts(
            Router router, Authenticator authenticator, RequestIds ids, Inboxes inboxes, MemoryBudget memory) {}

    /** A request, who sent it, and where the answer goes. */
    private record Asked(Request request, Optional<TenantId> tenant, String inbox) {}

    public NatsApi(Parts parts) {
        this.parts = parts;
    }

    /**
     * The routes that can be called over NATS: an answer is one message, so one that is written for as long as its reader listens is
     * refused.
     */
    public static List<Route> withoutStreams(List<Route> routes, Set<String> streaming) {
        return routes.stream()
                .map(route -> streaming.contains(route.operationId())
                        ? new Route(
                                route.method(),
                                route.pattern(),
                                route.access(),
                                route.operationId(),
                                NatsApi::onlyOverHttp)
                        : route)
                .toList();
    }

    private static Response onlyOverHttp(Call call) {
        throw new Refusal(streams());
    }

    private static Problem streams() {
        return Problem.of(
                ProblemCode.NOT_FOUND, "Over NATS an answer is one message, and this one is a stream: use HTTP.");
    }

    /** Answers what comes over this connection for as long as it lives. */
    public void listen(Connection connection) {
        var dispatcher = connection.createDispatcher(message -> accept(connection, message));
        dispatcher.setPendingLimits(MAX_PENDING, MAX_PENDING_BYTES);
        dispatcher.subscribe(SUBJECT, GROUP);
    }

    private void accept(Connection connection, Message message) {
        var inbox = message.getReplyTo();
        if (inbox == null) {
            return;
        }
        authenticating.acquireUninterruptibly();
        Thread.ofVirtual().start(() -> {
            Optional<Asked> asked;
            try {
                asked = asked(message, inbox);
            } finally {
                authenticating.release();
            }
            asked.ifPresentOrElse(
                    known -> {
                        try (var account = parts.memory().open()) {
                            reply(connection, inbox, within(account, answer(known, account), known));
                        }
                    },
                    () -> LOG.log(Level.DEBUG, "no answer goes to {0}", inbox));
        });
    }

    private static Response within(MemoryBudget.Account account, Response response, Asked asked) {
        try {
            account.answers(response.body().length);
            return response;
        } catch (Refusal noRoom) {
            return overloaded(asked.request().id());
        }
    }

    private Optional<Asked> asked(Message message, String inbox) {
        var headers = headers(message);
        String target = first(headers, PATH).orElse("/");
        int mark = target.indexOf('?');
        var request = new Request(
                parts.ids().next(),
                first(headers, METHOD).orElse("GET"),
                mark < 0 ? target : target.substring(0, mark),
                Map.of(),
                Map.of(),
                headers,
                message.getData());
        var tenant = parts.authenticator().authenticate(request) instanceof Authenticator.Known(var actor)
                ? Optional.of(actor.tenant())
                : Optional.<TenantId>empty();
        return parts.inboxes().allow(inbox, tenant) ? Optional.of(new Asked(request, tenant, inbox)) : Optional.empty();
    }

    private Response answer(Asked asked, MemoryBudget.Account account) {
        var request = asked.request();
        if (request.headers().containsKey(MALFORMED)) {
            return refused(ProblemCode.MALFORMED_REQUEST, "The headers of the message cannot be read.", request.id());
        }
        if (request.body().length > MAX_BODY_BYTES) {
            return refused(ProblemCode.BODY_TOO_LARGE, "The body is larger than 1 MiB.", request.id());
        }
        String target = first(request.headers(), PATH).orElse("/");
        int mark = target.indexOf('?');
        var query = QueryString.parse(mark < 0 ? "" : target.substring(mark + 1));
        if (query.isEmpty()) {
            return refused(ProblemCode.INVALID_QUERY, "The query cannot be decoded.", request.id());
        }
        return within(asked, query.get(), account);
    }

    // Whoever waits for work or for an end takes no place of those who do not.
    private Response within(Asked asked, Map<String, List<String>> query, MemoryBudget.Account account) {
        var request = asked.request();
        boolean urgent = asked.tenant().isPresent()
                && WORKERS_WORD.matcher(request.path()).matches();
        boolean waits = request.path().equals("/api/v1/worker/poll") || query.containsKey("wait_ms");
        var room = waits ? waiting : places;
        long bytes = request.body().length;
        if (!room.take(asked.tenant(), 1, urgent)) {
            return overloaded(request.id());
        }
        try {
            if (!bodies.take(asked.tenant(), bytes, urgent)) {
                return overloaded(request.id());
            }
            try {
                return handle(request, query, account);
            } finally {
                bodies.giveBack(asked.tenant(), bytes);
            }
        } finally {
            room.giveBack(asked.tenant(), 1);
        }
    }

    private Response handle(Request request, Map<String, List<String>> query, MemoryBudget.Account account) {
        var response = parts.router()
                .handle(
                        new Request(
                                request.id(),
                                request.method(),
                                request.path(),
                                Map.of(),
                                query,
                                request.headers(),
                                Request.NO_BODY,
                                Optional.of(account)),
                        new Incoming() {
                            @Override
                            public void authenticated(Actor actor) {
                                account.belongsTo(actor.tenant());
                            }

                            @Override
                            public byte[] body(int maxBytes) {
                                account.charge(new BodyCost().of(ByteBuffer.wrap(request.body())));
                                return request.body();
                            }
                        });
        return response.stream().isEmpty()
                ? response
                : Response.problem(streams(), request.id()).with(Router.REQUEST_ID, request.id());
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

    private static void reply(Connection connection, String inbox, Response response) {
        var headers = new Headers()
                .add(STATUS, Integer.toString(response.status()))
                .add("Content-Type", response.contentType());
        response.headers().forEach(headers::add);
        try {
            connection.publish(inbox, headers, response.body().length == 0 ? NOTHING : response.body());
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
