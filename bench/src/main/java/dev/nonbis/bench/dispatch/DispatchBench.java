package dev.nonbis.bench.dispatch;

import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Submitters and workers on one topic, while jobs of another wait for a worker that never comes; then the backlog itself is worked off.
 * Everything happens in this process, so that one clock measures each job from before its submission until its result is acknowledged.
 */
public final class DispatchBench {

    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final int LOADERS = 256;
    private static final int MAX_POLL = 100;

    private final Plan plan;
    private final InetSocketAddress server;
    private final String token;
    private final Supplier<Duration> cpu;
    private final Consumer<String> talk;

    /**
     * What to do.
     *
     * @param tasks what one worker does at a time
     * @param underWay jobs that are submitted and not finished at a time
     */
    public record Plan(int submitters, int workers, int tasks, int underWay, Duration time) {}

    /**
     * What was measured with this many jobs waiting.
     *
     * @param cpuMicrosPerJob processor time of the server for each job that was submitted and done; other load on the machine does not
     *     change it much, so it is what tells whether a backlog makes a job more expensive
     */
    public record Figures(
            long waiting,
            double jobsPerSecond,
            double p50Ms,
            double p99Ms,
            double cpuMicrosPerJob,
            double drainedPerSecond) {}

    /** The server under measurement, and how much processor time it has used so far. */
    public record Target(InetSocketAddress address, String token, Supplier<Duration> cpu) {}

    public DispatchBench(Plan plan, Target target, Consumer<String> talk) {
        this.plan = plan;
        this.server = target.address();
        this.token = target.token();
        this.cpu = target.cpu();
        this.talk = talk;
    }

    /** Adds this many to the backlog, which the measurement before has shortened or emptied, then measures. */
    public Figures measure(long waiting) throws InterruptedException {
        talk.accept("filling the backlog with " + waiting);
        load(waiting);
        talk.accept("measuring with " + waiting + " waiting");
        var live = new Phase("job.live", true);
        var before = cpu.get();
        live.run(plan.time());
        var used = cpu.get().minus(before);
        var drain = new Phase("job.backlog", false);
        drain.run(plan.time().dividedBy(2));
        double seconds = plan.time().toNanos() / 1e9;
        return new Figures(
                waiting,
                live.done.get() / seconds,
                live.latency.getValueAtPercentile(50) / 1e6,
                live.latency.getValueAtPercentile(99) / 1e6,
                used.toNanos() / 1e3 / Math.max(1, live.finished.get()),
                drain.perSecond());
    }

    private void load(long jobs) throws InterruptedException {
        var left = new AtomicLong(jobs);
        inParallel(LOADERS, connection -> {
            while (left.getAndDecrement() > 0) {
                submit(connection, "job.backlog");
            }
        });
    }

    private String submit(HttpConnection connection, String topic) throws IOException {
        return post(connection, "/api/v1/jobs", "{\"topic\":\"" + topic + "\"}")
                .path("job_id")
                .asString();
    }

    private JsonNode post(HttpConnection connection, String path, String body) throws IOException {
        var answer = connection.send(
                Call.post(path, body.getBytes(StandardCharsets.UTF_8)).as(token));
        if (answer.status() != 200) {
            throw new IOException(path + " answered " + answer.status() + ": " + answer.text());
        }
        return JsonMapper.shared().readTree(answer.text());
    }

    private interface Work {
        void on(HttpConnection connection) throws IOException, InterruptedException;
    }

    private void inParallel(int threads, Work work) throws InterruptedException {
        var running = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
            running.add(Thread.ofVirtual().start(() -> {
                try (var connection = HttpConnection.open(server, PATIENCE)) {
                    work.on(connection);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        for (var thread : running) {
            thread.join();
        }
    }

    /** Some seconds of work on one topic. */
    private final class Phase {

        private final String topic;
        private final boolean submitting;
        private final ConcurrentHistogram latency = new ConcurrentHistogram(3);
        // Of each job the beginning or the end, whichever was heard of first: a worker may be done before the submitter
        // has its answer.
        private final ConcurrentMap<String, Long> heardOf = new ConcurrentHashMap<>();
        // Those within the time, and those with what was under way at its end.
        private final AtomicLong done = new AtomicLong();
        private final AtomicLong finished = new AtomicLong();
        private final Semaphore places = new Semaphore(plan.underWay());
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicLong lastDone = new AtomicLong();
        private volatile long started;

        Phase(String topic, boolean submitting) {
            this.topic = topic;
            this.submitting = submitting;
        }

        /** Until the last one was done: a backlog that runs dry must not look slow. */
        double perSecond() {
            return done.get() * 1e9 / Math.max(1, lastDone.get() - started);
        }

        void run(Duration time) throws InterruptedException {
            started = System.nanoTime();
            var threads = new ArrayList<Thread>();
            threads.add(Thread.ofVirtual().start(() -> workers()));
            if (submitting) {
                threads.add(Thread.ofVirtual().start(() -> submitters()));
            }
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            over.set(true);
            for (var thread : threads) {
                thread.join();
            }
        }

        private void submitters() {
            try {
                inParallel(plan.submitters(), connection -> {
                    while (!over.get()) {
                        if (places.tryAcquire(100, TimeUnit.MILLISECONDS)) {
                            long now = System.nanoTime();
                            happened(submit(connection, topic), now);
                        }
                    }
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        // As a worker of the sdk does it: one connection asks for as much as there are hands free, the others work.
        private void workers() {
            try {
                inParallel(plan.workers(), connection -> {
                    String worker = "bench-" + Thread.currentThread().threadId();
                    var free = new Semaphore(plan.tasks());
                    var given = new LinkedBlockingQueue<Optional<JsonNode>>();
                    var hands = Thread.ofVirtual().start(() -> hands(worker, given, free));
                    while (!isFinished()) {
                        ask(connection, worker, given, free);
                    }
                    for (int i = 0; i < plan.tasks(); i++) {
                        given.add(Optional.empty());
                    }
                    hands.join();
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        // What was submitted is done before the next phase begins, which would count it as its own.
        private boolean isFinished() {
            return over.get() && (!submitting || places.availablePermits() >= plan.underWay());
        }

        private void ask(
                HttpConnection connection, String worker, BlockingQueue<Optional<JsonNode>> given, Semaphore free)
                throws IOException, InterruptedException {
            free.acquire();
            int hands = 1 + free.drainPermits();
            var polled = post(
                            connection,
                            "/api/v1/worker/poll",
                            "{\"worker_id\":\"" + worker + "\",\"topics\":[\"" + topic + "\"],\"max\":"
                                    + Math.min(hands, MAX_POLL) + ",\"wait_ms\":500}")
                    .path("deliveries");
            for (var delivery : polled) {
                given.add(Optional.of(delivery));
            }
            free.release(hands - polled.size());
        }

        private void hands(String worker, BlockingQueue<Optional<JsonNode>> given, Semaphore free) {
            try {
                inParallel(plan.tasks(), connection -> {
                    for (var next = given.take(); next.isPresent(); next = given.take()) {
                        work(connection, worker, next.get());
                        free.release();
                    }
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void happened(String job, long at) {
            var other = heardOf.putIfAbsent(job, at);
            if (other != null) {
                heardOf.remove(job);
                latency.recordValue(Math.abs(at - other));
            }
        }

        private void work(HttpConnection connection, String worker, JsonNode delivery) throws IOException {
            String id = delivery.path("job_id").asString();
            String claim = "{\"worker_id\":\"" + worker + "\",\"fence\":"
                    + delivery.path("fence").asInt();
            post(connection, "/api/v1/jobs/" + id + "/start", claim + "}");
            post(connection, "/api/v1/jobs/" + id + "/result", claim + ",\"status\":\"succeeded\"}");
            happened(id, System.nanoTime());
            places.release();
            finished.incrementAndGet();
            if (!over.get()) {
                done.incrementAndGet();
                lastDone.set(System.nanoTime());
            }
        }
    }
}
