package dev.nonbis.server;

import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.DeclareWeakness;
import dev.nonbis.core.operation.DeliverWebhooks;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.FindLostKey;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.store.WatchedStore;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.api.LongPoll;
import dev.nonbis.server.cli.RunningServer;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.events.EventStreams;
import dev.nonbis.server.http.MemoryBudget;
import dev.nonbis.server.http.Readiness;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Router;
import dev.nonbis.server.http.SystemRoutes;
import dev.nonbis.server.http.jetty.HttpServer;
import dev.nonbis.server.http.nats.NatsApi;
import dev.nonbis.server.metrics.DispatchMetrics;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.policy.cel.CelExpressions;
import dev.nonbis.server.policy.cel.EvaluationThreads;
import dev.nonbis.server.signing.Seal;
import dev.nonbis.server.ui.Console;
import dev.nonbis.server.webhook.Addresses;
import dev.nonbis.server.webhook.HttpSender;
import dev.nonbis.server.webhook.WebhookThreads;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** A running server. This is where everything is put together; no other class builds what it uses. */
public final class Server implements RunningServer {

    private static final Logger LOG = System.getLogger(Server.class.getName());
    // A store that may have lost what it promised must not go on: the process ends, and a start reads what is really
    // there.
    private static final int EXIT_STORE_FAILED = 70;

    private static final long MANAGEMENT_MEMORY_BYTES = 8L << 20;

    private final Config config;
    private final OpenedStore opened;
    private final WatchedStore store;
    private final StoreProbe probe;
    private final OpenedFiles files;
    private final EvaluationThreads evaluations = new EvaluationThreads();
    private final ChosenBus bus;
    private final LongPoll polls;
    private final EventStreams events;
    private final Observation observation;
    private final Console console;
    private final BackgroundWork background;
    private final HttpSender sender;
    private final HttpServer http;
    private final HttpServer management;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private Server(Config config, InstantSource clock, OpenedStore opened, Metrics metrics, Commits commits) {
        this.config = config;
        this.opened = opened;
        this.store = opened.store();
        this.probe = new StoreProbe(store, System::nanoTime);
        this.files = OpenedFiles.open(config, clock);
        var ports = new Ports(
                store,
                clock,
                Ids.secure(clock),
                files.rules(),
                new CelExpressions(evaluations),
                files.signer(),
                Admission.settings(config));
        new FindLostKey(ports)
                .find()
                .ifPresent(id -> LOG.log(
                        Level.WARNING,
                        "the audit log was sealed with the signing key {0}, which is not among the server''s keys: receipts and "
                                + "checkpoints that it signed cannot be checked; put the file of signing keys back from its backup",
                        id));
        declareWeaknesses(ports);
        var duplicates = new NoteDuplicates(ports);
        this.bus = ChosenBus.of(config, store, clock);
        this.observation = Observation.of(config, metrics, clock);
        var listener = observation.before(new DispatchMetrics(metrics, duplicates));
        var dispatching = new DispatchPorts(ports, bus.bus(), files.topicRules(), listener);
        this.polls = new LongPoll(new PollWork(dispatching));
        this.events = new EventStreams(store);
        commits.then(events::committed);
        gauges(metrics, duplicates);
        var requestIds = new RequestIds(clock);
        var memory = MemoryBudget.ofHeap();
        var parts = new Router.Parts(
                Credentials.authenticator(config, clock),
                new StoreFailures(metrics),
                Observation.observer(config, metrics),
                observation.spans());
        var addresses = new Addresses(config.webhooks().allowPrivate());
        var routes = new ArrayList<>(ApiRoutes.of(new ApiRoutes.Parts(
                dispatching,
                duplicates,
                observation.watching(metrics),
                Admission.keyRequired(config),
                polls,
                events,
                addresses,
                this::readiness,
                this::isLive)));
        if ("1".equals(System.getenv("NONBIS_BENCH"))) {
            routes.add(Listeners.noop());
        }
        var overNats = new Router(NatsApi.withoutStreams(routes, Set.of(EventStreams.OPERATION)), parts);
        bus.connect(
                dispatching,
                polls,
                new NatsApi(new NatsApi.Parts(
                        overNats, parts.authenticator(), requestIds, ChosenBus.inboxes(config), memory)));
        var seal = new Seal(files.signer());
        var oidc = SignInWithOidc.of(config, seal, clock);
        // People that an issuer vouches for are known here and nowhere else: no header of a request from outside names
        // them.
        var inside = oidc.map(o -> new Router.Parts(
                        Credentials.authenticator(config, clock, o.people()),
                        parts.failures(),
                        parts.observer(),
                        parts.spans()))
                .orElse(parts);
        this.console = new Console(new Console.Parts(
                ports,
                files.topicRules(),
                inside,
                new Router(routes, inside),
                requestIds,
                events,
                polls.workers(),
                metrics.recent(),
                seal,
                oidc,
                config.http().tls().isPresent()));
        routes.addAll(console.routes());
        this.background = opened.isShared() ? BackgroundWork.shared(ports) : BackgroundWork.alone();
        metrics.gauge(
                "nonbis_http_memory_bytes", "Memory that bodies and answers in flight are charged for", memory::used);
        this.http = HttpServer.start(Listeners.apiListener(config), new Router(routes, parts), requestIds, memory);
        try {
            var managed = new ArrayList<>(SystemRoutes.health(this::readiness, this::isLive));
            managed.add(Listeners.metrics(metrics));
            this.management = HttpServer.start(
                    Listeners.managementListener(config),
                    new Router(managed, parts),
                    requestIds,
                    new MemoryBudget(MANAGEMENT_MEMORY_BYTES));
        } catch (RuntimeException e) {
            http.close(Duration.ZERO);
            bus.close();
            evaluations.close();
            observation.close();
            throw e;
        }
        background.hold();
        background.watch(files);
        background.count(ports, metrics);
        background.keep(ports, duplicates);
        this.sender = new HttpSender(addresses, clock);
        background.tell(new WebhookThreads(new DeliverWebhooks(ports, sender)));
        background.dispatch(dispatching, bus, polls, commits);
        background.measure(metrics);
    }

    /**
     * Starts a server that accepts requests when this returns.
     *
     * @throws StartRefused when it cannot start for a reason that the operator can remove
     */
    public static RunningServer start(Config config) {
        return start(config, InstantSource.system());
    }

    static RunningServer start(Config config, InstantSource clock) {
        var metrics = new Metrics();
        var commits = new Commits(metrics);
        var opened = OpenedStore.open(config, commits, Server::endAtOnce);
        try {
            return new Server(config, clock, opened, metrics, commits);
        } catch (RuntimeException e) {
            opened.store().close();
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
    public URI signInLink(String token) {
        return url().resolve(console.invite(token));
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
        polls.close();
        events.close();
        http.close(config.http().limits().drainTimeout());
        background.close();
        bus.close();
        evaluations.close();
        store.close();
        // What is sent until then is sent again after a restart, because its outcome cannot be stored any more.
        sender.close();
        observation.close();
        management.close(Duration.ZERO);
        stopped.countDown();
    }

    /** Whether the API's listener works. On the management port, too, this is asked of the other listener. */
    private boolean isLive() {
        var listener = http;
        return listener == null || closed.get() || listener.trouble().isEmpty();
    }

    private Readiness readiness() {
        boolean usable = probe.isUsable();
        var late = background.late();
        var checks = JsonObject.builder();
        files.checks(checks);
        boolean live = isLive();
        checks.put("listener", live ? "ok" : "unavailable")
                .put("durability", durability())
                .put("bus", bus.bus().trouble().isEmpty() ? "ok" : "degraded")
                .put("store", usable ? "ok" : "unavailable")
                .put("loops", late.isEmpty() ? "ok" : "degraded");
        if (!late.isEmpty()) {
            checks.put("late_loops", JsonArray.ofStrings(late));
        }
        return new Readiness(usable && live && !closed.get(), checks.build());
    }

    private String durability() {
        var word = config.durability().name().toLowerCase(Locale.ROOT);
        return opened.weaknesses().isEmpty() ? word : word + ": " + String.join("; ", opened.weaknesses());
    }

    private void declareWeaknesses(Ports ports) {
        if (opened.weaknesses().isEmpty()) {
            return;
        }
        var weaknesses = opened.weaknesses();
        LOG.log(Level.WARNING, "durability is relaxed: {0}", String.join("; ", weaknesses));
        var tenants = config.auth().keys().stream()
                .map(key -> new TenantId(key.tenant()))
                .collect(Collectors.toSet());
        new DeclareWeakness(ports).declare(tenants, weaknesses);
    }

    private void gauges(Metrics metrics, NoteDuplicates duplicates) {
        metrics.gauge("nonbis_store_queue_depth", "Operations that wait for the writer", store::waiting);
        metrics.gauge(
                "nonbis_bus_up",
                "Whether the bus takes messages",
                () -> bus.bus().trouble().isEmpty() ? 1 : 0);
        metrics.gauge("nonbis_workers_waiting", "Workers that wait for work", polls::waiting);
        metrics.gauge("nonbis_event_streams", "Listeners to the stream of events", events::listeners);
        metrics.gauge(
                "nonbis_duplicate_notes_dropped",
                "Duplicates that were stopped but not told to a timeline",
                duplicates::dropped);
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
