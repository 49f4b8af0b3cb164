package dev.nonbis.bench.cluster;

import dev.nonbis.bench.cluster.Person.Wish;
import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.judge.Export;
import dev.nonbis.bench.judge.Exporter;
import dev.nonbis.bench.judge.Promises;
import dev.nonbis.bench.process.Credential;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Loads servers that share a store without a pause, kills, heals, lets everything come to its end, and has the history judged. */
public final class ClusterCampaign {

    private static final Duration TO_THE_END = Duration.ofMinutes(3);
    private static final long LOOK_MS = 200;
    private static final int WORKERS = 2;
    private static final Duration BROKER_WINDOW = Duration.ofMinutes(2);
    private static final Duration BREATH = Duration.ofMillis(20);

    private final Plan plan;
    private final Cluster cluster;
    private final Consumer<String> progress;
    private final Log log = new Log();
    private final SplittableRandom random;
    private final List<Person> people = new ArrayList<>();
    private int kills;
    private int stops;
    private volatile boolean loading = true;
    private volatile boolean helping = true;

    /** What happens to the cluster. The seed decides the load, the delays and who is hit. */
    public record Plan(List<Turn> turns, long seed, Load load, Pace pace) {

        public Plan {
            turns = List.copyOf(turns);
        }

        public static Plan usual(int turns, long seed) {
            var pace = new Pace(
                    Duration.ofMillis(2_500), Duration.ofMillis(600), Duration.ofSeconds(8), Duration.ofSeconds(12));
            return new Plan(Turn.some(turns), seed, new Load(3, Duration.ZERO), pace);
        }
    }

    /** How long at most everything lives between two turns and stays dead after a kill, and how long a stopped server stands still. */
    public record Pace(Duration longestLife, Duration longestDeath, Duration shortestStop, Duration longestStop) {}

    /** How many submit for each tenant, and how long each pauses between two wishes. Two work for each tenant. */
    public record Load(int submitters, Duration pause) {}

    public ClusterCampaign(Plan plan, Cluster cluster, Consumer<String> progress) {
        this.plan = plan;
        this.cluster = cluster;
        this.progress = progress;
        this.random = new SplittableRandom(plan.seed());
    }

    public ClusterReport run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        cluster.start();
        for (var tenant : Cluster.TENANTS) {
            prepare(person(tenant, "root"));
        }
        var clocksApart = clocksApart();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var submitters = new ArrayList<Future<Boolean>>();
            var helpers = new ArrayList<Future<Boolean>>();
            for (var tenant : Cluster.TENANTS) {
                load(tenant, threads, submitters, helpers);
            }
            turns();
            loading = false;
            await(submitters);
            progress.accept("the load is over: " + log.requests() + " requests");
            awaitEnd();
            progress.accept("everything is at its end: " + log.requests() + " requests");
            helping = false;
            await(helpers);
        }
        cluster.dead().forEach(this::diedByItself);
        cluster.mistakes().forEach(log::brokeDown);
        var publishes = cluster.publishes();
        log.published(publishes);
        var export = export();
        people.forEach(Person::close);
        return new ClusterReport(
                plan.seed(),
                new ClusterReport.Faults(kills, stops, clocksApart),
                Duration.ofNanos(System.nanoTime() - start),
                counts(export, publishes.size()),
                log.judge(export, promises()));
    }

    /** What the servers' clocks themselves tell, by the times that they write down. */
    private Duration clocksApart() throws IOException, InterruptedException {
        var ahead = new ArrayList<Duration>();
        for (var address : cluster.addresses()) {
            try (var witness = new Person(address, Credential.of(Cluster.TENANTS.getFirst(), "root"), log)) {
                var job = "{\"topic\":\"job.default\",\"prompt\":\"what time is it\"}";
                var before = Instant.now();
                var answer = accepted(witness, Wish.post("/api/v1/jobs", "time-" + ahead.size(), job));
                ahead.add(Duration.between(
                        before,
                        Instant.parse(Person.json(answer).path("created_at").asString())));
            }
        }
        var apart = Collections.max(ahead).minus(Collections.min(ahead));
        if (apart.compareTo(cluster.clockError()) < 0) {
            log.brokeDown("the clocks were to be apart and are " + ahead + " ahead");
        }
        return apart;
    }

    private void turns() throws IOException, InterruptedException {
        int number = 0;
        for (var turn : plan.turns()) {
            Thread.sleep(random.nextLong(plan.pace().longestLife().toMillis()));
            cluster.dead().forEach(this::diedByItself);
            cluster.strike(turn, random);
            if (turn == Turn.STOP) {
                standStill();
            } else {
                Thread.sleep(random.nextLong(plan.pace().longestDeath().toMillis()));
                cluster.heal();
                kills++;
            }
            number++;
            progress.accept(number + " of " + plan.turns().size() + ", " + turn + ": " + log.requests() + " requests");
        }
    }

    private void diedByItself(String words) {
        log.brokeDown("a server died by itself: " + words);
    }

    // Whoever asks the server that stands still is answered when it goes on, and not before.
    private void standStill() throws IOException, InterruptedException {
        try (var visitor =
                new Person(cluster.addressOfOne(true), Credential.of(Cluster.TENANTS.getFirst(), "root"), log)) {
            long before = log.answersAfter(longWait());
            var visit = Thread.ofVirtual().start(() -> visitor.ask(Wish.get("/api/v1/runs?limit=1")));
            serveMeanwhile();
            cluster.heal();
            visit.join();
            stops++;
            if (log.answersAfter(longWait()) == before) {
                log.brokeDown("a server was to stand still, and nobody waited for it");
            }
        }
    }

    private Duration longWait() {
        return plan.pace().shortestStop().dividedBy(2);
    }

    // Perhaps it stands still in the middle of a transaction; whoever asks another one has to be served all the same.
    private void serveMeanwhile() throws InterruptedException {
        var pace = plan.pace();
        long began = System.nanoTime();
        var stop = Duration.ofMillis(random.nextLong(
                pace.shortestStop().toMillis(), pace.longestStop().toMillis()));
        for (var tenant : Cluster.TENANTS) {
            try (var witness = new Person(cluster.addressOfOne(false), Credential.of(tenant, "root"), log)) {
                var job = "{\"topic\":\"job.default\",\"prompt\":\"while another stands still\"}";
                var wish = Wish.post("/api/v1/jobs", "stop-" + stops, job);
                var answer = witness.insist(wish, stop.minusNanos(System.nanoTime() - began));
                if (answer.filter(Answer::isSuccess).isEmpty()) {
                    log.brokeDown(tenant + " is not served while one server stands still for " + stop + ": " + answer);
                }
            }
        }
        Thread.sleep(Duration.ofNanos(Math.max(0, stop.toNanos() - (System.nanoTime() - began))));
    }

    private void prepare(Person root) throws InterruptedException, IOException {
        accepted(root, new Wish("PUT", "/api/v1/workflows/plain", "", """
                {"steps":[{"id":"first","topic":"job.step"},{"id":"second","topic":"job.step","needs":["first"]}]}"""));
        accepted(
                root,
                new Wish(
                        "PUT",
                        "/api/v1/tenants/" + root.tenant() + "/limits",
                        "",
                        "{\"max_concurrent_runs\":" + Cluster.RUN_LIMIT + "}"));
    }

    private static Answer accepted(Person root, Wish wish) throws InterruptedException, IOException {
        var answer = root.insist(wish);
        return answer.filter(Answer::isSuccess)
                .orElseThrow(() -> new IOException("the campaign could not be prepared: " + answer));
    }

    private void load(
            String tenant, ExecutorService threads, List<Future<Boolean>> submitters, List<Future<Boolean>> helpers) {
        var marks = new AtomicInteger();
        for (int i = 0; i < plan.load().submitters(); i++) {
            var submitter = new Submitter(person(tenant, "alice"), random.split(), marks);
            submitters.add(threads.submit(() -> {
                while (loading) {
                    submitter.step();
                    Thread.sleep(plan.load().pause());
                }
                submitter.repeatAll();
                return true;
            }));
        }
        var approvers = new Approvers(person(tenant, "bob"), person(tenant, "carol"), random.split());
        helpers.add(threads.submit(helping(approvers::decide)));
        for (int i = 0; i < WORKERS; i++) {
            var worker = new Worker(
                    hand(tenant, "worker-" + i), hand(tenant, "rival-" + i), log, random.split(), () -> loading);
            helpers.add(threads.submit(helping(worker::work)));
        }
    }

    private Worker.Hand hand(String tenant, String worker) {
        return new Worker.Hand(worker, person(tenant, "wanda"));
    }

    /** One step of a helper. */
    private interface Step {
        void run() throws InterruptedException;
    }

    private Callable<Boolean> helping(Step step) {
        return () -> {
            while (helping) {
                step.run();
                Thread.sleep(plan.load().pause().plus(BREATH));
            }
            return true;
        };
    }

    private Person person(String tenant, String name) {
        var person = new Person(cluster.address(), Credential.of(tenant, name), log);
        people.add(person);
        return person;
    }

    private static void await(List<Future<Boolean>> all) throws InterruptedException {
        for (var one : all) {
            try {
                one.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a client failed by its own fault", e.getCause());
            }
        }
    }

    // What stands still after that, the judge finds.
    private void awaitEnd() throws InterruptedException {
        long end = System.nanoTime() + TO_THE_END.toNanos();
        var exporters = Cluster.TENANTS.stream().map(this::exporter).toList();
        while (System.nanoTime() < end
                && (exporters.stream().mapToInt(Exporter::unsettled).sum() > 0 || somebodyWaits())) {
            Thread.sleep(LOOK_MS);
        }
    }

    private boolean somebodyWaits() {
        return Cluster.TENANTS.stream()
                .anyMatch(tenant -> !read(person(tenant, "root"), "/api/v1/approvals?status=waiting&limit=1")
                        .path("items")
                        .isEmpty());
    }

    private Export export() {
        var tenants = new LinkedHashMap<String, Export.OfTenant>();
        Cluster.TENANTS.forEach(tenant -> tenants.put(tenant, exporter(tenant).export()));
        return new Export(tenants);
    }

    private Exporter exporter(String tenant) {
        var root = person(tenant, "root");
        return new Exporter(path -> read(root, path));
    }

    private static JsonNode read(Person root, String path) {
        try {
            var answer = root.insist(Wish.get(path));
            return Person.json(answer.filter(a -> a.status() < 300)
                    .orElseThrow(() -> new IllegalStateException(path + " answers " + answer)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Promises promises() {
        return new Promises(
                Map.of(),
                cluster.clockError(),
                Cluster.TENANTS.stream().collect(Collectors.toMap(tenant -> tenant, tenant -> Cluster.RUN_LIMIT)),
                Map.of("agent-one", new BigDecimal(Cluster.DAY_CAP_USD)),
                BROKER_WINDOW);
    }

    private ClusterReport.Counts counts(Export export, int publishes) {
        var all = export.tenants().values();
        return new ClusterReport.Counts(
                log.requests(),
                log.unanswered(),
                log.answers("/", 503),
                all.stream().mapToInt(tenant -> tenant.jobs().size()).sum(),
                all.stream().mapToInt(tenant -> tenant.runs().size()).sum(),
                log.answers("/api/v1/workflows/", 429),
                all.stream().mapToInt(tenant -> tenant.payments().size()).sum(),
                all.stream().mapToInt(tenant -> tenant.approvals().size()).sum(),
                all.stream()
                        .flatMap(tenant -> tenant.approvals().keySet().stream())
                        .filter(id -> id.startsWith("pay_"))
                        .count(),
                log.answers("/api/v1/jobs/", 409),
                publishes,
                log.answersAfter(longWait()),
                all.stream().mapToInt(tenant -> tenant.audit().size()).sum());
    }
}
