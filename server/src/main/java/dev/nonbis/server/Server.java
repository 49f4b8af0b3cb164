package dev.nonbis.server;

import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.CountJobs;
import dev.nonbis.core.operation.DropSegment;
import dev.nonbis.core.operation.ExpireApprovals;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.PurgeExpired;
import dev.nonbis.core.operation.SealCheckpoint;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.operation.SweepNonces;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.signing.Signer;
import dev.nonbis.core.store.GroupCommit;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.api.Routes;
import dev.nonbis.server.cli.RunningServer;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.config.StoreUrl;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.ApiKeys;
import dev.nonbis.server.http.Authenticator;
import dev.nonbis.server.http.JwtKeys;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Readiness;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.http.Router;
import dev.nonbis.server.http.SystemRoutes;
import dev.nonbis.server.http.TokenAuthenticator;
import dev.nonbis.server.http.Tokens;
import dev.nonbis.server.http.helidon.HttpConfig;
import dev.nonbis.server.http.helidon.HttpLimits;
import dev.nonbis.server.http.helidon.HttpServer;
import dev.nonbis.server.loop.Loop;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.policy.cel.CelExpressions;
import dev.nonbis.server.policy.cel.PolicyFile;
import dev.nonbis.server.signing.SigningKeyFile;
import dev.nonbis.server.store.sql.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** A running server. This is where everything is put together; no other class builds what it uses. */
public final class Server implements RunningServer {

    private static final Logger LOG = System.getLogger(Server.class.getName());
    private static final TenantId PROBE = new TenantId("readyz");
    private static final int MAX_BATCH = 256;
    private static final int MAX_WAITING = 4096;
    // A store that may have lost what it promised must not go on: the process ends, and a start reads what is really
    // there.
    private static final int EXIT_STORE_FAILED = 70;

    private final Config config;
    private final GroupCommit store;
    private final Optional<PolicyFile> policy;
    private final List<Loop> loops = new ArrayList<>();
    private final HttpServer http;
    private final HttpServer management;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private Server(Config config, InstantSource clock, GroupCommit store, Metrics metrics) {
        this.config = config;
        this.store = store;
        this.policy = config.policyFile().map(file -> openPolicy(file, clock));
        var signer = signer(config);
        var ports = new Ports(
                store,
                clock,
                Ids.secure(clock),
                policy.<Policy>map(file -> file).orElse(Policy.ALLOW_ALL),
                new CelExpressions(),
                signer,
                settings(config));
        var duplicates = new NoteDuplicates(ports);
        var purge = new PurgeExpired(ports);
        gauges(metrics, duplicates);
        var requestIds = new RequestIds(clock);
        var parts = new Router.Parts(authenticator(config, clock), new StoreFailures(), metrics::answered);
        var routes = new ArrayList<>(Routes.of(ports, duplicates, metrics, keyRequired(config)));
        routes.addAll(SystemRoutes.health(this::readiness));
        routes.addAll(SystemRoutes.reference());
        routes.add(SystemRoutes.keys(signer.publicKeys()));
        if ("1".equals(System.getenv("NONBIS_BENCH"))) {
            routes.add(noop());
        }
        this.http = HttpServer.start(apiListener(config), new Router(routes, parts), requestIds);
        try {
            this.management = HttpServer.start(
                    managementListener(config), new Router(managementRoutes(metrics), parts), requestIds);
        } catch (RuntimeException e) {
            http.close(Duration.ZERO);
            throw e;
        }
        loops.add(Loop.start("duplicates", Duration.ofSeconds(1), duplicates::runOnce));
        var countJobs = new CountJobs(store);
        loops.add(Loop.start("gauges", Duration.ofSeconds(5), () -> metrics.jobs(countJobs.count())));
        policy.ifPresent(file -> loops.add(Loop.start("policy", Duration.ofSeconds(1), file::reloadIfChanged)));
        loops.add(Loop.start("approvals", Duration.ofSeconds(1), new ExpireApprovals(ports)::runOnce));
        loops.add(Loop.start("purge", Duration.ofMillis(500), purge::runSeveral));
        var dropSegment = new DropSegment(ports);
        loops.add(Loop.start("checkpoints", Duration.ofSeconds(1), new SealCheckpoint(ports)::runOnce));
        loops.add(Loop.start("dropped events", Duration.ofSeconds(10), () -> {
            while (dropSegment.runOnce() > 0) {
                LOG.log(Level.DEBUG, "removed dropped events");
            }
        }));
        loops.add(Loop.start("nonces", Duration.ofSeconds(1), new SweepNonces(ports)::runSeveral));
    }

    /**
     * Starts a server that accepts requests when this returns.
     *
     * @throws StartRefused when it cannot start for a reason that the operator can remove
     */
    public static RunningServer start(Config config) {
        var metrics = new Metrics();
        GroupCommit store;
        try {
            var backend = switch (config.store()) {
                case StoreUrl.Sqlite(var file) -> SqliteStore.open(file, Server::endAtOnce);
            };
            store = new GroupCommit(
                    backend,
                    new GroupCommit.Settings(
                            MAX_BATCH, MAX_WAITING, Set.of(Tables.KEYS), metrics::committed, System::nanoTime));
        } catch (StoreUnavailable e) {
            throw new StartRefused(String.valueOf(e.getMessage()), "see store.url in the configuration");
        }
        try {
            return new Server(config, InstantSource.system(), store, metrics);
        } catch (RuntimeException e) {
            store.close();
            throw refusal(e);
        }
    }

    @Override
    public URI url() {
        String scheme = config.http().tls().isPresent() ? "https" : "http";
        return URI.create(scheme + "://" + config.http().host() + ":" + http.port());
    }

    @Override
    public URI managementUrl() {
        return URI.create("http://" + config.management().host() + ":" + management.port());
    }

    @Override
    public void awaitStop() throws InterruptedException {
        stopped.await();
    }

    /** Answers what is under way, writes what waits, and stops. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        http.close(config.http().limits().drainTimeout());
        loops.forEach(Loop::close);
        store.close();
        management.close(Duration.ZERO);
        stopped.countDown();
    }

    private Readiness readiness() {
        var checks = JsonObject.builder();
        policy.ifPresent(file -> checks.put("policy", policyCheck(file.status())));
        checks.put("durability", config.durability().name().toLowerCase(Locale.ROOT))
                .put("bus", "ok");
        try {
            store.find(Tables.TENANTS, PROBE);
            if (store.trouble().isPresent()) {
                // Only a write can tell whether writes succeed again; this one leaves the row as it is.
                store.transact(tx -> {
                    tx.put(Tables.TENANTS, PROBE, tx.find(Tables.TENANTS, PROBE).orElse(TenantState.NEW));
                    return true;
                });
            }
            return new Readiness(!closed.get(), checks.put("store", "ok").build());
        } catch (StoreUnavailable e) {
            return new Readiness(
                    false, checks.put("store", String.valueOf(e.getMessage())).build());
        }
    }

    // A policy file that is refused leaves the one before in force, so the server is ready; an operator wants to see it
    // all the same.
    private static String policyCheck(PolicyFile.Status status) {
        return status.refused().isPresent() ? "the file was refused, the policy before is in force" : "ok";
    }

    private static PolicyFile openPolicy(Path file, InstantSource clock) {
        return switch (PolicyFile.open(file, clock)) {
            case PolicyFile.Opening.Opened(var opened) -> opened;
            case PolicyFile.Opening.Refused(var complaints) ->
                throw new StartRefused(
                        "the policy cannot be used:\n"
                                + complaints.stream().map(Object::toString).collect(Collectors.joining("\n")),
                        "correct the policy; nonbis policy check says the same");
        };
    }

    private void gauges(Metrics metrics, NoteDuplicates duplicates) {
        metrics.gauge("nonbis_store_queue_depth", "Operations that wait for the writer", store::waiting);
        metrics.gauge(
                "nonbis_duplicate_notes_dropped",
                "Duplicates that were stopped but not told to a timeline",
                duplicates::dropped);
    }

    private List<Route> managementRoutes(Metrics metrics) {
        var routes = new ArrayList<>(SystemRoutes.health(this::readiness));
        routes.add(new Route(
                Method.GET,
                "/metrics",
                Access.open(),
                "getMetrics",
                call -> new Response(
                        200,
                        "text/plain; version=0.0.4; charset=utf-8",
                        Map.of(),
                        metrics.scrape().getBytes(StandardCharsets.UTF_8))));
        return routes;
    }

    /** What the rates of the others are compared with: authenticated, answered, nothing done. */
    private static Route noop() {
        byte[] answer =
                "{\"job_id\":\"job_00000000000000000000000000\",\"state\":\"PENDING\",\"trace_id\":\"%s\",\"request_hash\":\"%s\",\"created_at\":\"2026-01-01T00:00:00.000000Z\"}"
                        .formatted("0".repeat(32), "0".repeat(64))
                        .getBytes(StandardCharsets.US_ASCII);
        return new Route(
                Method.POST,
                "/api/v1/noop",
                Access.anyKnown(),
                "noop",
                call -> new Response(200, Response.JSON, Map.of(), answer));
    }

    private static Settings settings(Config config) {
        var retention = new EnumMap<Operation, Duration>(Operation.class);
        config.idempotency().retention().jobs().ifPresent(time -> retention.put(Operation.JOBS, time));
        config.idempotency().retention().runs().ifPresent(time -> retention.put(Operation.RUNS, time));
        config.idempotency().retention().payments().ifPresent(time -> retention.put(Operation.PAYMENTS, time));
        var limits = new HashMap<TenantId, Integer>();
        config.limits()
                .forEach((tenant, limit) ->
                        limit.maxConcurrentRuns().ifPresent(n -> limits.put(new TenantId(tenant), n)));
        return new Settings(
                retention,
                limits,
                config.approvals().expireAfter(),
                config.approvals().allowSelf());
    }

    private static Signer signer(Config config) {
        var file = config.signingKeysFile().orElseGet(() -> switch (config.store()) {
            case StoreUrl.Sqlite(var database) -> database.resolveSibling(SigningKeyFile.NAME);
        });
        try {
            return new SigningKeyFile(file).open();
        } catch (SigningKeyFile.Unusable e) {
            throw new StartRefused(e.reason(), "see signing.keys_file in the configuration");
        }
    }

    private static Set<Operation> keyRequired(Config config) {
        var required = EnumSet.noneOf(Operation.class);
        config.idempotency().required().forEach(word -> Operation.of(word).ifPresent(required::add));
        return required;
    }

    private static Authenticator authenticator(Config config, InstantSource clock) {
        var kinds = new ArrayList<Tokens>();
        kinds.add(new ApiKeys(config.auth().keys().stream()
                .map(key -> new ApiKeys.Key(
                        key.sha256(), new Actor(new TenantId(key.tenant()), key.subject(), roles(key.roles()))))
                .toList()));
        config.auth().jwt().ifPresent(jwt -> kinds.add(jwtKeys(jwt, clock)));
        return new TokenAuthenticator(kinds);
    }

    private static JwtKeys jwtKeys(Config.Jwt jwt, InstantSource clock) {
        try {
            var expected = new JwtKeys.Expected(Optional.of(jwt.issuer()), Optional.of(jwt.audience()));
            return new JwtKeys(Files.readString(jwt.jwksFile()), expected, clock);
        } catch (IOException e) {
            throw new StartRefused("cannot read " + jwt.jwksFile() + ": " + e.getMessage(), "see auth.jwt.jwks_file");
        }
    }

    private static Set<Role> roles(Set<String> words) {
        return words.stream().flatMap(word -> Role.of(word).stream()).collect(Collectors.toUnmodifiableSet());
    }

    private static HttpConfig apiListener(Config config) {
        var limits = config.http().limits();
        var defaults = HttpLimits.DEFAULTS;
        return new HttpConfig(
                config.http().host(),
                config.http().port(),
                config.http().tls().map(tls -> new HttpConfig.TlsFiles(tls.cert(), tls.key())),
                new HttpLimits(
                        limits.maxBodyBytes(),
                        limits.maxHeaderBytes(),
                        defaults.maxHeaderCount(),
                        limits.maxConnections(),
                        limits.headerTimeout(),
                        limits.bodyTimeout(),
                        limits.idleTimeout(),
                        defaults.drainLinger()));
    }

    private static HttpConfig managementListener(Config config) {
        return new HttpConfig(
                config.management().host(), config.management().port(), Optional.empty(), HttpLimits.DEFAULTS);
    }

    private static StartRefused refusal(RuntimeException e) {
        return switch (e) {
            case StartRefused refused -> refused;
            case UncheckedIOException listener ->
                new StartRefused(
                        String.valueOf(listener.getMessage()),
                        "stop what listens there, or choose another http.port or management.port");
            default -> new StartRefused("the server cannot start: " + e, "see the log for the cause");
        };
    }

    private static void endAtOnce(Throwable why) {
        LOG.log(
                Level.ERROR,
                "the store failed in a way that leaves open what is on the disk; the server ends now",
                why);
        Runtime.getRuntime().halt(EXIT_STORE_FAILED);
    }
}
