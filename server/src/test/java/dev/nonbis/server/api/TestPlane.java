package dev.nonbis.server.api;

import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.ExpireApprovals;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.PurgeExpired;
import dev.nonbis.core.operation.Reconcile;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.Store;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.ApiRoutes;
import dev.nonbis.server.StoreFailures;
import dev.nonbis.server.events.EventStreams;
import dev.nonbis.server.http.ApiKeys;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Readiness;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.Router;
import dev.nonbis.server.http.TokenAuthenticator;
import dev.nonbis.server.metrics.DispatchMetrics;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.policy.cel.CelExpressions;
import dev.nonbis.server.tracing.Tracing;
import dev.nonbis.server.webhook.Addresses;
import dev.nonbis.testkit.SimulatedClock;
import dev.nonbis.testkit.store.MemoryBackend;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** The whole plane behind its HTTP handlers, in one thread, on a store in memory and a clock that is moved by hand. */
final class TestPlane {

    static final String ACME = "token-of-acme";
    static final String GLOBEX = "token-of-globex";
    /** Two humans of acme who may decide, besides the one who may do anything. */
    static final String BOB = "token-of-bob";

    static final String CAROL = "token-of-carol";
    /** A submitter of acme who may decide too. */
    static final String DAVE = "token-of-dave";

    final SimulatedClock clock = new SimulatedClock(Instant.parse("2026-03-01T12:00:00Z"));
    final Metrics metrics = new Metrics();
    final KeyRing signer = new KeyRing(SigningKey.generate(), List.of());
    final Ports ports;
    final NoteDuplicates duplicates;
    final PurgeExpired purge;
    final ExpireApprovals expire;
    final DispatchPorts dispatching;
    TopicRules topicRules = TopicRules.DEFAULTS;
    Readiness readiness = new Readiness(
            true, JsonObject.builder().put("store", "ok").put("bus", "ok").build());
    final LongPoll polls;
    final EventStreams events;
    final Router.Parts parts;
    final Router router;
    final RequestIds requestIds = new RequestIds(clock);

    TestPlane() {
        this(new DirectStore(new MemoryBackend()), Policy.ALLOW_ALL, Settings.DEFAULTS);
    }

    TestPlane(Store store, Policy policy, Settings settings) {
        this(store, policy, settings, EnumSet.noneOf(Operation.class));
    }

    TestPlane(Store store, Policy policy, Settings settings, Set<Operation> keyRequired) {
        ports = new Ports(
                store, clock, new Ids(clock, new SplittableRandom(1)), policy, new CelExpressions(), signer, settings);
        duplicates = new NoteDuplicates(ports);
        purge = new PurgeExpired(ports);
        expire = new ExpireApprovals(ports);
        dispatching = new DispatchPorts(
                ports, new EmbeddedBus(store, clock), topic -> topicRules, new DispatchMetrics(metrics, duplicates));
        var keys = new ArrayList<ApiKeys.Key>();
        keys.add(key(ACME, "acme", "alice", Role.ADMIN));
        keys.add(key(GLOBEX, "globex", "gina", Role.ADMIN));
        keys.add(key(BOB, "acme", "bob", Role.APPROVER));
        keys.add(key(CAROL, "acme", "carol", Role.APPROVER));
        keys.add(key(DAVE, "acme", "dave", Role.SUBMITTER, Role.APPROVER));
        keys.add(key("globex-approver", "globex", "bob", Role.APPROVER));
        for (var role : Role.values()) {
            keys.add(key("acme-" + role.word(), "acme", "only-" + role.word(), role));
            keys.add(key("globex-only-" + role.word(), "globex", "only-" + role.word(), role));
        }
        polls = new LongPoll(new PollWork(dispatching));
        events = new EventStreams(store);
        parts = new Router.Parts(
                new TokenAuthenticator(List.of(new ApiKeys(keys))), new StoreFailures(metrics), metrics::answered);
        router = new Router(
                ApiRoutes.of(new ApiRoutes.Parts(
                        dispatching,
                        duplicates,
                        new Watching(metrics, Tracing.NONE),
                        keyRequired,
                        polls,
                        events,
                        new Addresses(false),
                        () -> readiness,
                        () -> true)),
                parts);
    }

    private static ApiKeys.Key key(String token, String tenant, String subject, Role... roles) {
        return new ApiKeys.Key(
                Sha256.hex(token.getBytes(StandardCharsets.UTF_8)),
                new Actor(new TenantId(tenant), subject, Set.of(roles)));
    }

    /** A call about to be made. */
    final class Sending {

        private final String method;
        private final String target;
        private final Map<String, List<String>> headers = new LinkedHashMap<>();
        private byte[] body = {};

        private Sending(String method, String target) {
            this.method = method;
            this.target = target;
            as(ACME);
        }

        Sending as(String token) {
            headers.put("authorization", List.of("Bearer " + token));
            return this;
        }

        Sending key(String key) {
            return header("idempotency-key", key);
        }

        Sending header(String name, String value) {
            headers.put(name, List.of(value));
            return this;
        }

        Sending anonymously() {
            headers.remove("authorization");
            return this;
        }

        Sending body(String json) {
            return body(json.getBytes(StandardCharsets.UTF_8));
        }

        Sending body(byte[] bytes) {
            body = bytes;
            headers.put("content-type", List.of("application/json"));
            return this;
        }

        Answer send() {
            int mark = target.indexOf('?');
            String path = mark < 0 ? target : target.substring(0, mark);
            var query = new LinkedHashMap<String, List<String>>();
            if (mark >= 0) {
                for (String part : target.substring(mark + 1).split("&", -1)) {
                    int equals = part.indexOf('=');
                    query.computeIfAbsent(part.substring(0, equals), name -> new ArrayList<>())
                            .add(part.substring(equals + 1));
                }
            }
            return new Answer(
                    router.handle(new Request(requestIds.next(), method, path, Map.of(), query, headers, body)));
        }
    }

    /** Runs the loops until they find nothing more to do. */
    void settle() {
        var reconcile = new Reconcile(dispatching);
        var dispatch = new Dispatch(dispatching);
        int moved = 1;
        while (moved > 0) {
            moved = reconcile.runOnce() + dispatch.runOnce();
        }
    }

    List<Route> routes() {
        return router.routes();
    }

    Sending send(Method method, String target) {
        return new Sending(method.name(), target);
    }

    Sending post(String target) {
        return new Sending("POST", target);
    }

    Sending get(String target) {
        return new Sending("GET", target);
    }

    Sending put(String target) {
        return new Sending("PUT", target);
    }

    Sending delete(String target) {
        return new Sending("DELETE", target);
    }

    /** An answer, with what tests ask of it. */
    record Answer(Response response) {

        int status() {
            return response.status();
        }

        JsonObject json() {
            return (JsonObject) Json.parse(response.body());
        }

        String text() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        String string(String name) {
            return json().string(name).orElseThrow(() -> new AssertionError("no " + name + " in " + text()));
        }

        String code() {
            return string("code");
        }

        String header(String name) {
            var value = response.headers().get(name);
            return value == null ? "" : value;
        }

        boolean replayed() {
            return "true".equals(response.headers().get("Idempotent-Replayed"));
        }

        List<JsonObject> items() {
            return json().array("items").orElseThrow().items().stream()
                    .map(JsonObject.class::cast)
                    .toList();
        }
    }

    /** How many rows of any kind there are, which a refusal must not change. */
    long auditEvents(String token) {
        return get("/api/v1/audit/head").as(token).send().json().integer("seq").orElseThrow();
    }
}
