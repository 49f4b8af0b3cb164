package dev.nonbis.bench.torture;

import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.worker.Outcome;
import dev.nonbis.client.worker.Task;
import dev.nonbis.client.worker.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** A process full of workers as customers write them, made to be killed and paused. It ends when its standard input does. */
final class WorkerMain {

    /** The input's member that says how the work ends. */
    static final String PLAN = "plan";

    static final String FAILS = "fails";

    private static final int ONE_IN = 50;

    private final LedgerConnection ledger;
    private final String name;

    private WorkerMain(LedgerConnection ledger, String name) {
        this.ledger = ledger;
        this.name = name;
    }

    /** Arguments: URL, token, the ledger's port, the name of the first worker, how many workers, tasks of each at a time, topics. */
    public static void main(String[] args) throws IOException {
        var url = URI.create(args[0]);
        int workers = Integer.parseInt(args[4]);
        int ledgerPort = Integer.parseInt(args[2]);
        for (int i = 0; i < workers; i++) {
            var name = args[3] + "." + i;
            // Each worker has connections of its own, as it would in a process of its own.
            var client = NonbisClient.builder(url, args[1]).build();
            new WorkerMain(new LedgerConnection(ledgerPort), name)
                    .start(client, Integer.parseInt(args[5]), args[6].split(",", -1));
        }
        while (System.in.read() >= 0) {
            // Nothing is said; only the end counts.
        }
        Runtime.getRuntime().halt(0);
    }

    // It runs until the process ends.
    @SuppressWarnings("resource")
    private void start(NonbisClient client, int concurrency, String[] topics) {
        Worker.builder(client)
                .workerId(name)
                .topics(topics)
                .concurrency(concurrency)
                .pollWait(Duration.ofSeconds(2))
                .heartbeat(Duration.ofMillis(700))
                .onReport(this::reported)
                .start(this::handle);
    }

    private Outcome handle(Task task) throws IOException {
        if (chance()) {
            return Outcome.retryable("by chance, before the effect");
        }
        if (task.input().path(PLAN).asString("").equals(FAILS)) {
            return Outcome.failed("as planned");
        }
        ledger.say("apply " + task.idempotencyKey() + " " + task.jobId() + " " + task.execution() + " " + name);
        return chance() ? Outcome.retryable("by chance, after the effect") : Outcome.succeeded();
    }

    private void reported(Task task, Outcome outcome, String answer) {
        try {
            ledger.say("reported " + task.jobId() + " " + task.execution() + " " + name + " "
                    + outcome.status().name().toLowerCase(Locale.ROOT) + " " + answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean chance() {
        return ThreadLocalRandom.current().nextInt(ONE_IN) == 0;
    }
}
