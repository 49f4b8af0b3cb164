package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.CancelHistory.Created;
import dev.nonbis.bench.torture.KeyName.Form;
import dev.nonbis.bench.torture.Violation.Rule;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Sends a random mix of requests on one connection, one after another. */
final class Attacker {

    static final List<String> TENANTS = List.of("acme", "globex");

    private final Client client;
    private final History history;
    private final SplittableRandom random;
    private final int runLimit;

    Attacker(Client client, History history, Dice dice) {
        this.client = client;
        this.history = history;
        this.random = new SplittableRandom(dice.seed());
        this.runLimit = dice.runLimit();
    }

    /** Where chance starts, and the limit that must hold. */
    record Dice(long seed, int runLimit) {}

    /** One random request or a few that belong together; an exception means that the answer is unknown. */
    void step() throws IOException {
        int choice = random.nextInt(100);
        if (choice < 38) {
            submitJob();
        } else if (choice < 55) {
            startRun();
        } else if (choice < 68) {
            cancelRun();
        } else if (choice < 72) {
            cancelJob();
        } else if (choice < 90) {
            repeat();
        } else if (choice < 98) {
            mismatch();
        } else {
            countActiveRuns();
        }
    }

    private void submitJob() throws IOException {
        long number = history.nextNumber();
        client.submit(history.key(new KeyName(tenant(), Operation.JOBS, number)), Form.ORIGINAL);
        if (random.nextInt(4) == 0) {
            // The same key in the other tenant and in the other operation is another key.
            for (var tenant : TENANTS) {
                client.submit(history.key(new KeyName(tenant, Operation.JOBS, number)), form());
            }
        }
    }

    private void startRun() throws IOException {
        var tenant = tenant();
        var key = history.key(new KeyName(tenant, Operation.RUNS, history.nextNumber()));
        if (client.submit(key, Form.ORIGINAL).status() == 429 && cancelOneOf(tenant)) {
            client.submit(key, form());
        }
    }

    private void cancelRun() throws IOException {
        cancelOneOf(tenant());
    }

    private boolean cancelOneOf(String tenant) throws IOException {
        var run = history.activeRuns(tenant).poll();
        if (run == null) {
            return false;
        }
        client.cancel(history.cancel(tenant, new Created(Operation.RUNS, run)));
        return true;
    }

    private void cancelJob() throws IOException {
        var key = history.anyKey(random).filter(k -> k.name().operation() == Operation.JOBS);
        var settled = key.flatMap(KeyHistory::settled);
        if (key.isPresent() && settled.isPresent()) {
            client.cancel(history.cancel(
                    key.get().name().tenant(),
                    new Created(Operation.JOBS, settled.get().id())));
        }
    }

    /** Any earlier key, answered or not, perhaps under way on another connection at this moment. */
    private void repeat() throws IOException {
        var key = history.anyKey(random);
        if (key.isPresent()) {
            client.submit(key.get(), form());
        }
    }

    private void mismatch() throws IOException {
        Optional<KeyHistory> key =
                history.anyKey(random).filter(k -> k.settled().isPresent());
        if (key.isPresent()) {
            client.submit(key.get(), Form.OTHER);
        }
    }

    private void countActiveRuns() throws IOException {
        var tenant = tenant();
        int active = Json.parse(client.get(tenant, "/api/v1/runs?state=RUNNING&limit=1000")
                        .body())
                .path("items")
                .size();
        if (active > runLimit) {
            history.violations.add(new Violation(
                    Rule.RUN_LIMIT_HOLDS,
                    tenant + ": the list shows " + active + " runs where " + runLimit + " are allowed"));
        }
    }

    private String tenant() {
        return TENANTS.get(random.nextInt(TENANTS.size()));
    }

    private Form form() {
        return random.nextBoolean() ? Form.ORIGINAL : Form.REORDERED;
    }
}
