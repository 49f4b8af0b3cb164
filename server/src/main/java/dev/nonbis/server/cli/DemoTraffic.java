package dev.nonbis.server.cli;

import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import dev.nonbis.client.ProblemException;
import java.time.Duration;

/** A client as clients are: it sends some of its jobs twice, and now and then another one under a key that is taken. */
final class DemoTraffic implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofSeconds(8);
    private static final int MISTAKE_EVERY = 3;

    private final NonbisClient client;
    private final Thread thread;

    private DemoTraffic(NonbisClient client) {
        this.client = client;
        this.thread = Thread.ofVirtual().name("demo-traffic").unstarted(this::sendUntilClosed);
    }

    static DemoTraffic start(NonbisClient client) {
        var traffic = new DemoTraffic(client);
        traffic.thread.start();
        return traffic;
    }

    private void sendUntilClosed() {
        try {
            for (int n = 1; ; n++) {
                send(n);
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException | NonbisException e) {
            // The demo ends with its server.
        }
    }

    private void send(int n) {
        var job = JobSubmission.to("job.default").label("from", "demo").prompt("Say hello to customer " + n);
        client.submitJob(job);
        client.submitJob(job);
        if (n % MISTAKE_EVERY == 1) {
            try {
                client.submitJob(job.prompt("Say goodbye to customer " + n));
            } catch (ProblemException refused) {
                // This is the answer that the console shows.
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
