package dev.nonbis.bench.cluster;

import dev.nonbis.bench.cluster.Person.Wish;
import dev.nonbis.bench.judge.Export;
import dev.nonbis.bench.judge.Exporter;
import dev.nonbis.bench.judge.Promises;
import dev.nonbis.bench.process.Credential;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
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
    private static final Duration BREATH = Duration.ofMillis(20);

    private final Plan plan;
    private final Cluster cluster;
    private final Consumer<String> progress;
    private final Log log = new Log();
    private final SplittableRandom random;
    private final List<Person> people = new ArrayList<>();
    private volatile boolean loading = true;
    private volatile boolean helping = true;

    /** How often, and how long at most everything lives between two kills and stays dead after one. */
    public record Plan(int kills, long seed, Load load, Duration longestLife, Duration longestDeath) {

        public static Plan usual(int kills, long seed) {
            var load = new Load(3, Duration.ZERO);
            return new Plan(kills, seed, load, Duration.ofMillis(2_500), Duration.ofMillis(600));
        }
    }

    /** How many submit for each tenant, and how long each pauses between two wishes. */
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
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var submitters = new ArrayList<Future<Boolean>>();
            var helpers = new ArrayList<Future<Boolean>>();
            for (var tenant : Cluster.TENANTS) {
                load(tenant, threads, submitters, helpers);
            }
            kills();
            loading = false;
            await(submitters);
            progress.accept("the load is over: " + log.requests() + " requests");
            awaitEnd();
            progress.accept("everything is at its end: " + log.requests() + " requests");
            helping = false;
            await(helpers);
        }
        var export = export();
        people.forEach(Person::close);
        return new ClusterReport(
                plan.seed(),
                plan.kills(),
                Duration.ofNanos(System.nanoTime() - start),
                counts(export),
                log.judge(export, promises()));
    }

    private void kills() throws IOException, InterruptedException {
        for (int kill = 0; kill < plan.kills(); kill++) {
            Thread.sleep(random.nextLong(plan.longestLife().toMillis()));
            cluster.dead().forEach(words -> log.brokeDown("a server died by itself: " + words));
            var victims = cluster.kill(kill, random);
            Thread.sleep(random.nextLong(plan.longestDeath().toMillis()));
            cluster.heal();
            progress.accept("kill " + (kill + 1) + " of " + plan.kills() + ", " + victims + ": " + log.requests()
                    + " requests");
        }
    }

    private void prepare(Person root) throws InterruptedException, IOException {
        accepted(root, "/api/v1/workflows/plain", """
                {"steps":[{"id":"first","topic":"job.step"},{"id":"second","topic":"job.step","needs":["first"]}]}""");
        accepted(
                root,
                "/api/v1/tenants/" + root.tenant() + "/limits",
                "{\"max_concurrent_runs\":" + Cluster.RUN_LIMIT + "}");
    }

    private static void accepted(Person root, String path, String body) throws InterruptedException, IOException {
        var answer = root.insist(new Wish("PUT", path, "", body));
        if (answer.filter(a -> a.status() < 300).isEmpty()) {
            throw new IOException("the campaign could not be prepared: " + answer);
        }
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
        var helper =
                new Helper(person(tenant, "bob"), person(tenant, "carol"), person(tenant, "wanda"), random.split());
        helpers.add(threads.submit(helping(helper::decide)));
        helpers.add(threads.submit(helping(helper::work)));
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
                && exporters.stream().mapToInt(Exporter::unsettled).sum() > 0) {
            Thread.sleep(LOOK_MS);
        }
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

    private static Promises promises() {
        return new Promises(
                Map.of(),
                Duration.ZERO,
                Cluster.TENANTS.stream().collect(Collectors.toMap(tenant -> tenant, tenant -> Cluster.RUN_LIMIT)),
                Map.of("agent-one", new BigDecimal(Cluster.DAY_CAP_USD)),
                Duration.ZERO);
    }

    private ClusterReport.Counts counts(Export export) {
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
                all.stream().mapToInt(tenant -> tenant.audit().size()).sum());
    }
}
