package dev.nonbis.server;

import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.operation.CountJobs;
import dev.nonbis.core.operation.CountWaiting;
import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.DropSegment;
import dev.nonbis.core.operation.ExpireApprovals;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.PurgeExpired;
import dev.nonbis.core.operation.Reconcile;
import dev.nonbis.core.operation.SealCheckpoint;
import dev.nonbis.core.operation.SweepNonces;
import dev.nonbis.server.api.LongPoll;
import dev.nonbis.server.loop.Loop;
import dev.nonbis.server.metrics.Metrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Every operation that runs without being asked, each on a loop of its own. */
final class BackgroundWork implements AutoCloseable {

    private static final Duration OFTEN = Duration.ofMillis(500);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MAX_ROUNDS = 100;

    private final List<Loop> loops = new ArrayList<>();

    void watch(OpenedFiles files) {
        files.policy().ifPresent(file -> every("policy", SECOND, file::reloadIfChanged));
        files.topics().ifPresent(file -> every("topics", SECOND, file::reloadIfChanged));
    }

    void count(Ports ports, Metrics metrics) {
        var countJobs = new CountJobs(ports.store());
        var countWaiting = new CountWaiting(ports.store());
        every("gauges", Duration.ofSeconds(5), () -> {
            metrics.jobs(countJobs.count());
            metrics.waiting(countWaiting.count());
        });
    }

    void keep(Ports ports, NoteDuplicates duplicates) {
        every("duplicates", SECOND, duplicates::runOnce);
        every("approvals", SECOND, new ExpireApprovals(ports)::runOnce);
        every("purge", OFTEN, new PurgeExpired(ports)::runSeveral);
        every("checkpoints", SECOND, new SealCheckpoint(ports)::runOnce);
        every("dropped events", Duration.ofSeconds(10), repeat(new DropSegment(ports)::runOnce));
        every("nonces", SECOND, new SweepNonces(ports)::runSeveral);
    }

    /** Whatever was written may have made a job ready or a place free, so each commit wakes the dispatch. */
    void dispatch(DispatchPorts ports, ChosenBus bus, LongPoll polls, Commits commits) {
        // Whichever bus there is now: messages of the embedded one may be left from before.
        every(
                "messages",
                OFTEN,
                repeat(new EmbeddedBus(ports.ports().store(), ports.ports().clock())::purge));
        every("reconcile", SECOND, repeat(new Reconcile(ports)::runOnce));
        var dispatch = new Dispatch(ports);
        var loop = every("dispatch", OFTEN, repeat(() -> {
            int looked = dispatch.runOnce();
            if (looked > 0) {
                polls.news();
            }
            return looked;
        }));
        commits.then(loop::wake);
        bus.nats().ifPresent(nats -> {
            var watch = every("bus", SECOND, nats::watch);
            bus.onChange(() -> {
                watch.wake();
                loop.wake();
            });
        });
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
        loops.forEach(Loop::close);
    }
}
