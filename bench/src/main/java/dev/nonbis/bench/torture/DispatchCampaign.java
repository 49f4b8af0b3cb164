package dev.nonbis.bench.torture;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.torture.DispatchHistory.Plan;
import dev.nonbis.bench.torture.Violation.Rule;
import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import dev.nonbis.client.RetryPolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends jobs through workers while workers are killed and paused and the server is killed, all at random; then lets everything come to
 * rest, decides what waits for a human by looking at the ledger, and judges.
 */
public final class DispatchCampaign {

    static final String TENANT = "acme";

    /** The second one's jobs wait for a human when their worker is lost. */
    static final List<String> TOPICS = List.of("job.retry", "job.hold");

    /** Short leases, so that a campaign sees many lost. */
    public static final String TOPICS_FILE = """
            defaults: {running_timeout: 3s, dispatch_timeout: 8s, max_attempts: 200}
            topics:
              job.hold: {lost_worker: hold}
            """;

    /** What the server's configuration needs for it. */
    public static final String CONFIG = "topics: {file: topics.yaml}\n";

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration LONGEST_STANDSTILL = Duration.ofMinutes(2);
    private static final int SUBMITTERS = 8;
    private static final int ONE_FAILS_IN = 100;
    private static final int ONE_IS_HELD_IN = 20;
    private static final RetryPolicy PATIENT =
            new RetryPolicy(10_000, Duration.ofMinutes(5), Duration.ofMillis(50), Duration.ofSeconds(1));

    private final Size size;
    private final Victim victim;
    private final Path log;
    private final Consumer<String> progress;
    private final SplittableRandom random;
    private final Map<String, Plan> submitted = new ConcurrentHashMap<>();
    private final Violations violations = new Violations();
    private int workerKills;
    private int pauses;

    /** How much and how hard. The seed decides what is asked for and the delays; the machine decides what a kill then interrupts. */
    public record Size(int jobs, int workers, int processes, int tasksEach, int kills, long seed) {}

    public DispatchCampaign(Size size, Victim victim, Path log, Consumer<String> progress) {
        this.size = size;
        this.victim = victim;
        this.log = log;
        this.progress = progress;
        this.random = new SplittableRandom(size.seed());
    }

    public DispatchReport run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        var address = victim.start();
        var fleetSize = new WorkerFleet.Size(
                size.processes(), Math.max(1, size.workers() / size.processes()), size.tasksEach());
        try (var ledger = Ledger.open();
                var fleet = new WorkerFleet(fleetSize, address, ledger, log)) {
            fleet.start();
            var submitters = submit(address);
            faults(ledger, fleet);
            for (var submitter : submitters) {
                submitter.join();
            }
            var end = new DispatchEnd(client(address), address, violations, progress);
            end.awaitRest();
            var worked = Duration.ofNanos(System.nanoTime() - start);
            int held = end.decide(ledger);
            end.awaitRest();
            if (!fleet.allAlive()) {
                violations.add(new Violation(Rule.SERVER_STAYS_UP, "a worker process ended by itself, see " + log));
            }
            progress.accept("judging");
            victim.mistakes().forEach(line -> violations.add(new Violation(Rule.NEVER_A_MISTAKE, line)));
            var history = end.history(submitted, ledger);
            violations.addAll(DispatchCheck.check(history));
            return report(worked, history, held);
        }
    }

    private List<Thread> submit(InetSocketAddress address) {
        var next = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < SUBMITTERS; i++) {
            var client = client(address);
            threads.add(Thread.ofVirtual().start(() -> {
                for (int n = next.getAndIncrement(); n < size.jobs(); n = next.getAndIncrement()) {
                    submit(client, n);
                }
            }));
        }
        return threads;
    }

    // The number alone decides what is asked for, so that a retry after a kill is the same request.
    private void submit(NonbisClient client, int number) {
        var dice = new SplittableRandom(size.seed() + number);
        var plan = dice.nextInt(ONE_FAILS_IN) == 0 ? Plan.FAILS : Plan.SUCCEEDS;
        var input = JsonMapper.shared().createObjectNode().put("n", number);
        if (plan == Plan.FAILS) {
            input.put(WorkerMain.PLAN, WorkerMain.FAILS);
        }
        try {
            var job = client.submitJob(JobSubmission.to(TOPICS.get(dice.nextInt(ONE_IS_HELD_IN) == 0 ? 1 : 0))
                    .input(input)
                    .withKey("torture-" + number));
            submitted.put(job.jobId(), plan);
        } catch (NonbisException e) {
            violations.add(new Violation(Rule.NO_STUCK_KEY, "job " + number + " was not admitted: " + e));
        }
    }

    /** Faults until most jobs have had their effect. The server's deaths are spread over that time. */
    private void faults(Ledger ledger, WorkerFleet fleet) throws IOException, InterruptedException {
        int kills = 0;
        int last = size.jobs() * 9 / 10;
        // A long campaign needs time to work between its faults.
        long longestCalmMs = Math.min(6_000, 1_500 + size.jobs() / 20);
        var watch = new Standstill(ledger);
        while ((ledger.effects() < last || kills < size.kills()) && !watch.isOver()) {
            Thread.sleep(random.nextLong(200, longestCalmMs));
            boolean isDue = ledger.effects() >= (long) last * (kills + 1) / (size.kills() + 1);
            if (kills < size.kills() && isDue) {
                killServer();
                kills++;
                progress.accept("server kill " + kills + " of " + size.kills() + ": " + submitted.size()
                        + " jobs submitted, " + ledger.effects() + " effects, " + workerKills + " worker kills, "
                        + pauses + " pauses");
            } else if (random.nextInt(4) == 0) {
                pause(fleet.any(random));
            } else if (random.nextInt(3) == 0) {
                fleet.killOne(random);
                workerKills++;
            }
        }
    }

    /** Ends a campaign in which nothing happens any more, for whatever reason. */
    private final class Standstill {

        private final Ledger ledger;
        private int seen = -1;
        private long since;

        Standstill(Ledger ledger) {
            this.ledger = ledger;
        }

        boolean isOver() {
            int now = ledger.effects();
            if (now != seen) {
                seen = now;
                since = System.nanoTime();
            }
            boolean over = System.nanoTime() - since > LONGEST_STANDSTILL.toNanos();
            if (over) {
                violations.add(
                        new Violation(Rule.EVERY_JOB_ENDS, "no effect for " + LONGEST_STANDSTILL + ", see " + log));
            }
            return over;
        }
    }

    private void killServer() throws IOException, InterruptedException {
        if (!victim.alive()) {
            violations.add(new Violation(Rule.SERVER_STAYS_UP, "the server died by itself: " + victim.lastWords()));
        }
        victim.kill();
        victim.start();
    }

    // Past its lease, so that it comes back to work that others have done meanwhile.
    private void pause(WorkerProcess process) throws IOException, InterruptedException {
        process.pause();
        Thread.sleep(LEASE.toMillis() + random.nextLong(500, 2_000));
        process.goOn();
        pauses++;
    }

    private static NonbisClient client(InetSocketAddress address) {
        return NonbisClient.builder(
                        URI.create("http://" + address.getHostString() + ":" + address.getPort()),
                        Credential.forTenant(TENANT).token())
                .retryPolicy(PATIENT)
                .build();
    }

    private DispatchReport report(Duration worked, DispatchHistory history, int held) {
        var faults = new DispatchReport.Faults(size.kills(), workerKills, pauses);
        var counts = new DispatchReport.Counts(
                submitted.size(),
                history.states().values().stream().filter("SUCCEEDED"::equals).count(),
                history.states().values().stream().filter("FAILED"::equals).count(),
                held,
                history.effects().stream().map(Ledger.Effect::key).distinct().count(),
                history.effects().size(),
                history.ends().size());
        return new DispatchReport(size.seed(), worked, faults, counts, violations.count(), violations.first());
    }
}
