package dev.nonbis.bench.torture;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.torture.Attacker.Dice;
import dev.nonbis.bench.torture.Violation.Rule;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Loads a server, kills it at a random instant or cuts it off, starts it again, judges, and repeats. */
public final class KillCampaign {

    private static final long SHORTEST_LIFE_MS = 50;
    private static final long BETWEEN_CONNECTIONS_MS = 20;

    private final Plan plan;
    private final Victim victim;
    private final Consumer<String> progress;
    private final History history = new History();
    private final SplittableRandom random;
    private volatile boolean killed;
    private volatile boolean dying;

    /** How long and how hard. The seed decides the load and the delays; the machine decides what the kill then interrupts. */
    public record Plan(Blows blows, long seed, int connections, int runLimit, Life life) {

        /** What finds most: enough connections that every commit holds several requests, and lives short enough to interrupt warm-up too. */
        public static Plan usual(Blows blows, long seed) {
            return new Plan(blows, seed, 8, 10, new Life(Duration.ofMillis(1_500), 0));
        }
    }

    /** How long the server lives before a blow: a random time up to the longest, and until it has been sent so many requests. */
    public record Life(Duration longest, long leastRequests) {}

    /** How many kills, and how many connections cut between a commit and its answer. */
    public record Blows(int kills, int cuts) {

        public static Blows kills(int count) {
            return new Blows(count, 0);
        }

        int all() {
            return kills + cuts;
        }

        // Spread evenly over all blows.
        boolean isCut(int blow) {
            return (long) blow * cuts / all() > (long) (blow - 1) * cuts / all();
        }
    }

    public KillCampaign(Plan plan, Victim victim, Consumer<String> progress) {
        this.plan = plan;
        this.victim = victim;
        this.progress = progress;
        this.random = new SplittableRandom(plan.seed());
    }

    public CampaignReport run() throws IOException, InterruptedException {
        long start = System.nanoTime();
        var address = victim.start();
        prepare(address);
        var judge = new Judge(history, plan);
        var blows = plan.blows();
        for (int blow = 1; blow <= blows.all(); blow++) {
            loadAndStrike(address, blows.isCut(blow));
            address = victim.start();
            judge.afterRestart(address);
            progress.accept("blow " + blow + " of " + blows.all() + (blows.isCut(blow) ? " (cut)" : " (kill)") + ": "
                    + history.requests.sum() + " requests, " + history.violations.count() + " violations");
        }
        judge.atTheEnd(address);
        victim.mistakes().forEach(line -> history.violations.add(new Violation(Rule.NEVER_A_MISTAKE, line)));
        return report(Duration.ofNanos(System.nanoTime() - start), judge.auditEvents());
    }

    private void prepare(InetSocketAddress address) throws IOException {
        try (var client = Client.open(address, history)) {
            for (var tenant : Attacker.TENANTS) {
                accepted(client.send(tenant, Call.put("/api/v1/workflows/" + Operation.WORKFLOW, utf8("""
                        {"steps":[{"id":"first","topic":"job.default","needs":[]},{"id":"second","topic":"job.default","needs":["first"]}]}"""))));
                accepted(client.send(
                        tenant,
                        Call.put(
                                "/api/v1/tenants/" + tenant + "/limits",
                                utf8("{\"max_concurrent_runs\":" + plan.runLimit() + "}"))));
            }
        }
    }

    private static void accepted(Answer answer) throws IOException {
        if (answer.status() / 100 != 2) {
            throw new IOException("the campaign could not be prepared: " + answer);
        }
    }

    private void loadAndStrike(InetSocketAddress address, boolean isCut) throws InterruptedException {
        killed = false;
        dying = false;
        List<Future<?>> attacks = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < plan.connections(); i++) {
                long seed = random.nextLong();
                attacks.add(threads.submit(attack(address, new Dice(seed, plan.runLimit()))));
            }
            live();
            if (!victim.alive()) {
                history.violations.add(
                        new Violation(Rule.SERVER_STAYS_UP, "the server died by itself: " + victim.lastWords()));
            }
            killed = true;
            dying = !isCut && victim.aftermath().isZero();
            if (isCut) {
                cut();
            } else {
                victim.kill();
            }
            Thread.sleep(victim.aftermath());
            dying = true;
        }
        for (var attack : attacks) {
            try {
                attack.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("an attacker failed by its own fault", e.getCause());
            }
        }
    }

    private void live() throws InterruptedException {
        long before = history.requests.sum();
        Thread.sleep(random.nextLong(SHORTEST_LIFE_MS, plan.life().longest().toMillis()));
        while (history.requests.sum() - before < plan.life().leastRequests() && !dying) {
            Thread.sleep(1);
        }
    }

    private void cut() throws InterruptedException {
        if (!victim.cut()) {
            throw new IllegalStateException("nothing passed that could be cut; the server says: " + victim.lastWords());
        }
    }

    private Callable<Boolean> attack(InetSocketAddress address, Dice dice) {
        return () -> {
            for (long life = 0; !dying; life++) {
                attackUntilCut(address, new Dice(dice.seed() + life, dice.runLimit()));
            }
            return true;
        };
    }

    private void attackUntilCut(InetSocketAddress address, Dice dice) throws InterruptedException {
        try (var client = Client.open(address, history)) {
            var attacker = new Attacker(client, history, dice);
            while (!dying) {
                attacker.step();
            }
        } catch (IOException e) {
            if (!killed) {
                history.violations.add(new Violation(Rule.SERVER_STAYS_UP, "a connection broke before the kill: " + e));
                dying = true;
            }
            Thread.sleep(BETWEEN_CONNECTIONS_MS);
        }
    }

    private CampaignReport report(Duration took, long auditEvents) {
        var counts = new CampaignReport.Counts(
                history.requests.sum(),
                history.settledKeys().size(),
                history.cancelled(),
                history.retried.sum(),
                history.replaysVerified.sum(),
                history.mismatchesRefused.sum(),
                auditEvents);
        return new CampaignReport(
                plan.seed(), plan.blows(), took, counts, history.violations.count(), history.violations.first());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
