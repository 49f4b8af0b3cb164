package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.CancelHistory.Created;
import dev.nonbis.bench.torture.KeyName.Form;
import dev.nonbis.bench.torture.Violation.Rule;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Asks the restarted server, with nothing else under way, whether it kept its promises. */
final class Judge {

    private static final int LATEST_KEYS = 400;
    private static final int OLDER_KEYS = 100;
    private static final int FOREIGN_IDS = 10;
    private static final int KEYS_TO_FREE = 20;
    private static final int TRIES = 50;
    private static final long BETWEEN_TRIES_MS = 100;

    private final History history;
    private final KillCampaign.Plan plan;
    private final SplittableRandom random;
    private final Map<String, AuditChain> chains =
            Attacker.TENANTS.stream().collect(Collectors.toMap(Function.identity(), AuditChain::new));

    Judge(History history, KillCampaign.Plan plan) {
        this.history = history;
        this.plan = plan;
        this.random = new SplittableRandom(plan.seed() + 1);
    }

    long auditEvents() {
        return chains.values().stream().mapToLong(AuditChain::seq).sum();
    }

    void afterRestart(InetSocketAddress address) throws IOException, InterruptedException {
        try (var client = Client.open(address, history)) {
            settleUnanswered(client);
            followChains(client);
            tryForeignIds(client, FOREIGN_IDS);
        }
        replayAll(address, latestAndSomeOlder());
    }

    void atTheEnd(InetSocketAddress address) throws IOException, InterruptedException {
        try (var client = Client.open(address, history)) {
            freeRefusedKeys(client);
            tryForeignIds(client, 20 * FOREIGN_IDS);
        }
        replayAll(address, history.settledKeys());
        try (var client = Client.open(address, history)) {
            followChains(client);
            compareWorlds(client);
        }
    }

    private void settleUnanswered(Client client) throws IOException, InterruptedException {
        for (var key : drained(history.unansweredKeys)) {
            history.retried.increment();
            if (!definite(() -> client.submit(key, Form.ORIGINAL).status())) {
                history.violations.add(new Violation(Rule.NO_STUCK_KEY, key.name() + " gets no definite answer"));
            }
        }
        for (var cancel : drained(history.unansweredCancels)) {
            history.retried.increment();
            if (!definite(() -> client.cancel(cancel).status())) {
                history.violations.add(
                        new Violation(Rule.NO_STUCK_KEY, "cancelling " + cancel.id() + " gets no definite answer"));
            }
        }
    }

    // All at once: what gets no answer again comes back into the queue, and has its turn after the next restart.
    private static <T> Set<T> drained(Queue<T> queue) {
        var all = new LinkedHashSet<T>();
        for (var one = queue.poll(); one != null; one = queue.poll()) {
            all.add(one);
        }
        return all;
    }

    /** One request that gives a status. */
    private interface Try {
        int status() throws IOException;
    }

    private static boolean definite(Try request) throws IOException, InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            if (request.status() < 500) {
                return true;
            }
            Thread.sleep(BETWEEN_TRIES_MS);
        }
        return false;
    }

    private void followChains(Client client) throws IOException {
        var inspector = new Inspector(client, history);
        for (var chain : chains.values()) {
            inspector.follow(chain, event -> {});
        }
    }

    private List<KeyHistory> latestAndSomeOlder() {
        var settled = history.settledKeys();
        int latest = Math.max(0, settled.size() - LATEST_KEYS);
        List<KeyHistory> chosen = new ArrayList<>(settled.subList(latest, settled.size()));
        for (int i = 0; i < OLDER_KEYS && latest > 0; i++) {
            chosen.add(settled.get(random.nextInt(latest)));
        }
        return chosen;
    }

    /** Sends settled requests again, over several connections; the keys' histories compare byte for byte. */
    private void replayAll(InetSocketAddress address, List<KeyHistory> keys) throws IOException, InterruptedException {
        List<Future<Boolean>> parts = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int part = 0; part < plan.connections(); part++) {
                int first = part;
                parts.add(threads.submit(() -> {
                    try (var client = Client.open(address, history)) {
                        for (int i = first; i < keys.size(); i += plan.connections()) {
                            client.submit(keys.get(i), i % 2 == 0 ? Form.ORIGINAL : Form.REORDERED);
                        }
                    }
                    return true;
                }));
            }
        }
        for (var part : parts) {
            try {
                part.get();
            } catch (ExecutionException e) {
                throw new IOException("the server could not be asked for its answers again", e.getCause());
            }
        }
    }

    private void tryForeignIds(Client client, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            var key = history.anyKey(random);
            var settled = key.flatMap(KeyHistory::settled);
            if (key.isPresent() && settled.isPresent()) {
                var name = key.get().name();
                var stranger = Attacker.TENANTS.stream()
                        .filter(t -> !t.equals(name.tenant()))
                        .findFirst()
                        .orElseThrow();
                var answer = client.get(
                        stranger,
                        name.operation().objectsPath() + "/" + settled.get().id());
                if (answer.status() != 404) {
                    history.violations.add(new Violation(
                            Rule.TENANTS_ARE_APART,
                            stranger + " asked for " + settled.get().id() + " of " + name + " and got " + answer));
                }
            }
        }
    }

    /** A run that was refused at the limit must be accepted under the same key once another run has ended. */
    private void freeRefusedKeys(Client client) throws IOException {
        for (var tenant : Attacker.TENANTS) {
            var refused = history.allKeys().stream()
                    .filter(key ->
                            key.name().tenant().equals(tenant) && key.settled().isEmpty())
                    .limit(KEYS_TO_FREE)
                    .toList();
            for (var key : refused) {
                var run = history.activeRuns(tenant).poll();
                if (run != null) {
                    client.cancel(history.cancel(tenant, new Created(Operation.RUNS, run)));
                    var answer = client.submit(key, Form.ORIGINAL);
                    if (answer.status() != 200) {
                        history.violations.add(new Violation(
                                Rule.NO_STUCK_KEY,
                                key.name() + " was refused before, a run has ended, and it still gets " + answer));
                    }
                }
            }
        }
    }

    private void compareWorlds(Client client) throws IOException {
        var inspector = new Inspector(client, history);
        Set<String> seen = new HashSet<>();
        for (var tenant : Attacker.TENANTS) {
            var known = history.known(tenant);
            var world = inspector.look(tenant, known);
            history.violations.addAll(WorldCheck.check(world, known));
            RunLimitCheck.check(tenant, plan.runLimit(), history.activeIntervals(tenant))
                    .ifPresent(history.violations::add);
            for (var listed : world.jobs()) {
                if (!seen.add(listed.id())) {
                    history.violations.add(
                            new Violation(Rule.TENANTS_ARE_APART, listed.id() + " is listed for two tenants"));
                }
            }
        }
    }
}
