package dev.nonbis.server;

import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.operation.AnnounceResults;
import dev.nonbis.core.operation.CountJobs;
import dev.nonbis.core.operation.CountWaiting;
import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.DropSegment;
import dev.nonbis.core.operation.ExpireApprovals;
import dev.nonbis.core.operation.HoldLeases;
import dev.nonbis.core.operation.MeasureBacklog;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.PurgeExpired;
import dev.nonbis.core.operation.Reconcile;
import dev.nonbis.core.operation.SealCheckpoint;
import dev.nonbis.core.operation.SweepNonces;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.server.api.LongPoll;
import dev.nonbis.server.loop.Loop;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.webhook.WebhookThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/**
 * Every operation that runs without being asked, each on a loop of its own. Where servers share a store, work on what they share is done by
 * one of them, by the lease of its name.
 */
final class BackgroundWork implements AutoCloseable {

    private static final Logger LOG = System.getLogger(BackgroundWork.class.getName());
    private static final List<String> LEASED = List.of(
            "approvals",
            "purge",
            "checkpoints",
            "dropped events",
            "nonces",
            "messages",
            "reconcile",
            "dispatch",
            "results");

    private static final Duration OFTEN = Duration.ofMillis(500);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LATE_AFTER = Duration.ofMinutes(1);
    private static final int MAX_ROUNDS = 100;

    // Another server's commits wake nobody here.
    private static final Duration LOOK_FOR_WORK = Duration.ofMillis(100);
    private static final Duration LOOK_FOR_MESSAGES = Duration.ofMillis(200);

    private final List<Loop> loops = new CopyOnWriteArrayList<>();
    private final List<Runnable> endings = new ArrayList<>();
    private final Optional<HoldLeases> leases;

    private BackgroundWork(Optional<HoldLeases> leases) {
        this.leases = leases;
    }

    /** For a server that has its store for itself. */
    static BackgroundWork alone() {
        return new BackgroundWork(Optional.empty());
    }

    /** For one of several servers. */
    static BackgroundWork shared(Ports ports) {
        var name = "server_" + ports.ids().trace();
        return new BackgroundWork(Optional.of(new HoldLeases(ports.store(), System::nanoTime, name, LEASED)));
    }

    /** From here on this server competes for the work that only one may do. */
    void hold() {
        leases.ifPresent(held -> every("leases", HoldLeases.LOOK, held::runOnce));
    }

    void watch(OpenedFiles files) {
        files.policy().ifPresent(file -> every("policy", SECOND, file::reloadIfChanged));
        files.topics().ifPresent(file -> every("topics", SECOND, file::reloadIfChanged));
    }

    void count(Ports ports, Metrics metrics) {
        var countJobs = new CountJobs(ports);
        var countWaiting = new CountWaiting(ports.store());
        var measureBacklog = new MeasureBacklog(ports.store());
        every("gauges", Duration.ofSeconds(5), () -> {
            metrics.jobs(countJobs.count());
            metrics.waiting(countWaiting.count());
            metrics.backlog(measureBacklog.measure(ports.clock().instant()));
        });
    }

    void keep(Ports ports, NoteDuplicates duplicates) {
        every("duplicates", SECOND, duplicates::runOnce);
        leased("approvals", SECOND, repeat(new ExpireApprovals(ports)::runOnce));
        leased("purge", OFTEN, new PurgeExpired(ports)::runSeveral);
        leased("checkpoints", SECOND, new SealCheckpoint(ports)::runOnce);
        leased("dropped events", Duration.ofSeconds(10), repeat(new DropSegment(ports)::runOnce));
        leased("nonces", SECOND, new SweepNonces(ports)::runSeveral);
    }

    /** Events are told soon after they have happened. */
    void tell(WebhookThreads webhooks) {
        var loop = every("webhooks", OFTEN, webhooks::runOnce);
        webhooks.onRoom(loop::wake);
        endings.add(webhooks::close);
    }

    /** Whatever was written may have made a job ready or a place free, so each commit wakes the dispatch. */
    void dispatch(DispatchPorts ports, ChosenBus bus, LongPoll polls, Commits commits) {
        // Whichever bus there is now: messages of the embedded one may be left from before.
        leased(
                "messages",
                OFTEN,
                repeat(new EmbeddedBus(ports.ports().store(), ports.ports().clock())::purge));
        leased("reconcile", SECOND, repeat(new Reconcile(ports)::runOnce));
        var dispatch = new Dispatch(ports, polls::news);
        var loop = leased("dispatch", leases.isPresent() ? LOOK_FOR_WORK : OFTEN, repeat(dispatch::runOnce));
        commits.then(loop::wake);
        bus.nats().ifPresent(nats -> {
            var watch = every("bus", SECOND, nats::watch);
            var results = leased("results", OFTEN, repeat(new AnnounceResults(ports)::runOnce));
            commits.then(results::wake);
            bus.onChange(() -> {
                watch.wake();
                loop.wake();
                results.wake();
            });
        });
        if (leases.isPresent()) {
            var waiting = new CountWaiting(ports.ports().store());
            every("news", LOOK_FOR_MESSAGES, () -> {
                if (polls.waiting() > 0) {
                    waiting.queues().forEach(polls::news);
                }
            });
        }
    }

    /** The loops without a successful round for a minute. */
    List<String> late() {
        return loops.stream()
                .filter(loop -> loop.sinceLastSuccess().compareTo(LATE_AFTER) > 0)
                .map(Loop::name)
                .toList();
    }

    void measure(Metrics metrics) {
        loops.forEach(loop -> metrics.loop(loop.name(), loop::sinceLastSuccess));
    }

    private Loop leased(String name, Duration interval, Runnable work) {
        return leases.map(held -> every(name, interval, () -> {
                    if (held.holds(name)) {
                        work.run();
                    }
                }))
                .orElseGet(() -> every(name, interval, work));
    }

    private Loop every(String name, Duration interval, Runnable work) {
        var loop = Loop.start(name, interval, work);
        loops.add(loop);
        return loop;
    }

    // On while there is more, but not so long that a stop has to wait.
    private static Runnable repeat(IntSupplier work) {
        return () -> {
            for (int i = 0; i < MAX_ROUNDS && work.getAsInt() > 0; i++) {}
        };
    }

    @Override
    public void close() {
        endings.forEach(Runnable::run);
        loops.forEach(Loop::close);
        leases.ifPresent(BackgroundWork::giveUp);
    }

    // Others take over sooner then; without it they do so a few seconds later.
    private static void giveUp(HoldLeases held) {
        try {
            held.giveUp();
        } catch (StoreUnavailable e) {
            LOG.log(Level.DEBUG, "the leases stay until they lapse", e);
        }
    }
}
