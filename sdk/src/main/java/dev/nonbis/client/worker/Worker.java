package dev.nonbis.client.worker;

import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import dev.nonbis.client.Problem;
import dev.nonbis.client.ProblemException;
import dev.nonbis.client.worker.TaskSource.Offer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Takes tasks and has a handler do them, several at a time, until it is closed. It starts a task before the handler sees it, gives signs
 * of life while the handler runs, and reports the outcome until the server has it or does not want it.
 */
public final class Worker implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Worker.class.getName());
    private static final int MAX_POLL = 100;
    private static final int MAX_HEARTS = 4;
    private static final Duration QUICK = Duration.ofMillis(100);

    private final Settings settings;
    private final Handler handler;
    private final WorkerCalls calls;
    private final TaskSource source;
    private final Semaphore free;
    private final ExecutorService handlers;
    private final ScheduledExecutorService hearts;
    // A delivery may come again while it is in hand here, and starting it again is not refused to the same worker.
    private final Set<String> inHand = ConcurrentHashMap.newKeySet();
    private final Thread poller;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean closing;
    private volatile boolean dead;

    private record Settings(
            List<String> topics,
            int concurrency,
            Duration pollWait,
            Duration heartbeat,
            Duration grace,
            ReportListener reports) {}

    private Worker(Builder builder, Handler handler) {
        this.settings = new Settings(
                List.copyOf(builder.topics),
                builder.concurrency,
                builder.pollWait,
                builder.heartbeat,
                builder.grace,
                builder.reports);
        this.handler = handler;
        this.calls = new WorkerCalls(builder.client, builder.workerId);
        this.source = builder.source.orElse(calls);
        this.free = new Semaphore(builder.concurrency);
        this.handlers = Executors.newFixedThreadPool(builder.concurrency, Worker::named);
        this.hearts = Executors.newScheduledThreadPool(Math.min(MAX_HEARTS, builder.concurrency), Worker::named);
        this.poller = named(this::pollUntilClosed);
    }

    /** A worker that calls the server through this client, whose credential has the role {@code worker}. */
    public static Builder builder(NonbisClient client) {
        return new Builder(client);
    }

    /** Waits until the worker is closed. Its own threads keep no process alive. */
    public void awaitClosed() throws InterruptedException {
        closed.await();
    }

    /** Takes no more tasks, waits for those that run as long as the grace period, then gives them up. */
    @Override
    public void close() {
        closing = true;
        poller.interrupt();
        handlers.shutdown();
        try {
            handlers.awaitTermination(settings.grace().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeNow();
    }

    /** Drops everything at once: handlers are interrupted and nothing more is reported, as if the process had died. */
    public void closeNow() {
        closing = true;
        dead = true;
        poller.interrupt();
        handlers.shutdownNow();
        hearts.shutdownNow();
        source.close();
        closed.countDown();
    }

    private void pollUntilClosed() {
        while (!closing) {
            int places = 0;
            try {
                free.acquire();
                places = 1 + takeMore();
                long asked = System.nanoTime();
                int taken = poll(places);
                free.release(places - taken);
                places = 0;
                if (taken == 0 && System.nanoTime() - asked < QUICK.toNanos()) {
                    // A server that does not let us wait has its reasons; asking at once again would not help it.
                    TimeUnit.NANOSECONDS.sleep(QUICK.toNanos());
                }
            } catch (InterruptedException | RejectedExecutionException e) {
                // Only closing interrupts, and only then do handlers take nothing more.
                return;
            } catch (NonbisException e) {
                free.release(places);
                if (!closing) {
                    LOG.log(Level.WARNING, "no work taken: {0}", e.getMessage());
                    pause();
                }
            }
        }
    }

    private int takeMore() {
        int more = 0;
        while (more < MAX_POLL - 1 && free.tryAcquire()) {
            more++;
        }
        return more;
    }

    /** Takes at most this many tasks and hands them to the handlers; returns how many. */
    private int poll(int places) {
        var offers = source.take(settings.topics(), places, settings.pollWait());
        for (var offer : offers) {
            handlers.execute(() -> {
                try {
                    workUnlessInHand(offer);
                } finally {
                    free.release();
                }
            });
        }
        return offers.size();
    }

    private void workUnlessInHand(Offer offer) {
        if (!offer.isReadable()) {
            bury(offer);
            return;
        }
        var offered = new Task(offer.delivery());
        String execution = offered.jobId() + ":" + offered.fence();
        if (inHand.add(execution)) {
            try {
                start(offer).ifPresent(this::work);
            } finally {
                inHand.remove(execution);
            }
        }
    }

    private void bury(Offer unreadable) {
        try {
            if (calls.isBuried(unreadable)) {
                unreadable.receipt().settled();
                return;
            }
        } catch (NonbisException e) {
            LOG.log(Level.WARNING, "a message that cannot be read stays for now: {0}", e.getMessage());
        }
        unreadable.receipt().later();
    }

    private Optional<Task> start(Offer offer) {
        try {
            var task = calls.start(offer);
            offer.receipt().settled();
            return Optional.of(task);
        } catch (ProblemException e) {
            // Somebody else has it, or nobody should; unless its publish is not settled yet, or the server could not
            // tell.
            if (e.problem().retry() == Problem.Retry.SAME_KEY || isEarly(offer, e.problem())) {
                offer.receipt().later();
            } else {
                offer.receipt().settled();
            }
            LOG.log(Level.DEBUG, "not started: {0}", e.getMessage());
        } catch (NonbisException e) {
            offer.receipt().later();
            LOG.log(Level.DEBUG, "not started: {0}", e.getMessage());
        }
        return Optional.empty();
    }

    private static boolean isEarly(Offer offer, Problem problem) {
        String state = problem.body().path("state").asString("");
        return problem.body().path("fence").asInt(0) == new Task(offer.delivery()).fence()
                && (state.equals("PENDING") || state.equals("SCHEDULED"));
    }

    private void work(Task task) {
        long millis = settings.heartbeat().toMillis();
        ScheduledFuture<?> heart;
        try {
            heart = hearts.scheduleAtFixedRate(() -> beat(task), millis, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException dropped) {
            // The worker was closed at once meanwhile: this task is as if the process had died.
            return;
        }
        try {
            report(task, outcome(task));
        } finally {
            heart.cancel(false);
        }
    }

    // Whatever a handler throws is about this task alone.
    @SuppressWarnings("CatchingUnchecked")
    private Outcome outcome(Task task) {
        try {
            return handler.handle(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.retryable("interrupted");
        } catch (Exception e) {
            LOG.log(Level.WARNING, "the handler failed on " + task.jobId(), e);
            return Outcome.retryable(e.toString());
        }
    }

    private void report(Task task, Outcome outcome) {
        // An interruption that the handler left behind is not about the report.
        boolean interrupted = Thread.interrupted();
        reportUntilKnown(task, outcome);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void reportUntilKnown(Task task, Outcome outcome) {
        while (!dead) {
            try {
                settings.reports().reported(task, outcome, calls.result(task, outcome));
                return;
            } catch (ProblemException e) {
                if (e.problem().retry() != Problem.Retry.SAME_KEY) {
                    settings.reports().reported(task, outcome, e.problem().code());
                    LOG.log(
                            Level.WARNING,
                            "the result of {0} was not taken: {1}",
                            task.jobId(),
                            e.problem().code());
                    return;
                }
            } catch (NonbisException e) {
                LOG.log(Level.WARNING, "the result of {0} is not through yet: {1}", task.jobId(), e.getMessage());
            }
            pause();
        }
    }

    private void beat(Task task) {
        if (dead || task.isCancelled()) {
            return;
        }
        var note = task.takeNote();
        try {
            if (!calls.heartbeat(task, note)) {
                task.cancel();
            }
        } catch (ProblemException e) {
            if (e.problem().retry() == Problem.Retry.NEVER) {
                task.cancel();
            }
        } catch (NonbisException e) {
            task.giveBack(note);
            LOG.log(Level.DEBUG, "no sign of life for {0}: {1}", task.jobId(), e.getMessage());
        }
    }

    // The client has tried for a while already.
    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread named(Runnable work) {
        var thread = new Thread(work, "nonbis-worker");
        thread.setDaemon(true);
        return thread;
    }

    /** Collects what a worker needs; everything but topics has a default. */
    public static final class Builder {

        private final NonbisClient client;
        private final List<String> topics = new ArrayList<>();
        private String workerId = "worker-" + UUID.randomUUID();
        private int concurrency = 4;
        private Duration pollWait = Duration.ofSeconds(20);
        private Duration heartbeat = Duration.ofSeconds(10);
        private Duration grace = Duration.ofSeconds(30);
        private Optional<TaskSource> source = Optional.empty();
        private ReportListener reports = (task, outcome, answer) -> {};

        private Builder(NonbisClient client) {
            this.client = client;
        }

        /** The topics to take tasks of. */
        public Builder topics(String... names) {
            topics.addAll(List.of(names));
            return this;
        }

        /** A name that no other running worker has; by default a new one. */
        public Builder workerId(String id) {
            workerId = id;
            return this;
        }

        /** How many tasks run at a time. */
        public Builder concurrency(int tasks) {
            concurrency = tasks;
            return this;
        }

        /** How long the server may hold a poll that finds nothing; shorter than the client's request timeout. */
        public Builder pollWait(Duration wait) {
            pollWait = wait;
            return this;
        }

        /** How often a running task gives a sign of life; at most a third of the topic's {@code running_timeout}. */
        public Builder heartbeat(Duration interval) {
            heartbeat = interval;
            return this;
        }

        /** Where to hear of work instead of asking the server; closed with the worker. */
        public Builder tasksFrom(TaskSource other) {
            source = Optional.of(other);
            return this;
        }

        /** How long {@link Worker#close} waits for running tasks. */
        public Builder grace(Duration time) {
            grace = time;
            return this;
        }

        /** Who hears what the server said to each report. */
        public Builder onReport(ReportListener listener) {
            reports = listener;
            return this;
        }

        /** Starts the worker. */
        public Worker start(Handler handler) {
            if (topics.isEmpty()) {
                throw new IllegalStateException("a worker needs at least one topic");
            }
            var worker = new Worker(this, handler);
            worker.poller.start();
            return worker;
        }
    }
}
