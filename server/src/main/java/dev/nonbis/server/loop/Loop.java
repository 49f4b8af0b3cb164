package dev.nonbis.server.loop;

import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.store.StoreUnavailable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Does a piece of work every interval and whenever it is woken, on a thread of its own, and once more when it is closed. A storm of
 * wakes is worked off together: woken again at once, it takes a breath first, and a longer one after a longer round, so that looking for
 * work leaves the processors to those who bring it.
 */
public final class Loop implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Loop.class.getName());
    private static final int LONGEST_BACK_OFF = 32;
    private static final Duration SHORTEST_BREATH = Duration.ofMillis(5);
    private static final Duration LONGEST_BREATH = Duration.ofMillis(40);
    private static final int BREATH_PER_ROUND = 10;

    private final String name;
    private final Duration interval;
    private final Runnable work;
    private final Semaphore calls = new Semaphore(0);
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private long roundNanos;
    private volatile long lastSuccessNanos = System.nanoTime();

    private Loop(String name, Duration interval, Runnable work) {
        this.name = name;
        this.interval = interval;
        this.work = work;
        this.thread = Thread.ofVirtual().name("nonbis-" + name).unstarted(this::run);
    }

    public static Loop start(String name, Duration interval, Runnable work) {
        var loop = new Loop(name, interval, work);
        loop.thread.start();
        return loop;
    }

    /** Does the work soon, however long the interval is. Cheap, and calls that come together count once. */
    public void wake() {
        if (calls.availablePermits() == 0) {
            calls.release();
        }
    }

    public String name() {
        return name;
    }

    /** The time since the last round that succeeded, or since the start before there was one. */
    public Duration sinceLastSuccess() {
        return Duration.ofNanos(System.nanoTime() - lastSuccessNanos);
    }

    @Override
    public void close() {
        stop.countDown();
        calls.release();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        int backOff = 1;
        boolean stopping = false;
        while (!stopping) {
            try {
                stopping = pause(backOff);
            } catch (InterruptedException e) {
                return;
            }
            long start = System.nanoTime();
            backOff = succeeds() ? 1 : Math.min(LONGEST_BACK_OFF, backOff * 2);
            roundNanos = System.nanoTime() - start;
        }
    }

    // While the work fails, waking is no reason to hurry; only the end is.
    private boolean pause(int backOff) throws InterruptedException {
        if (backOff > 1) {
            return stop.await(interval.toNanos() * backOff, TimeUnit.NANOSECONDS);
        }
        if (calls.tryAcquire()) {
            stop.await(breathNanos(), TimeUnit.NANOSECONDS);
        } else {
            calls.tryAcquire(interval.toNanos(), TimeUnit.NANOSECONDS);
        }
        calls.drainPermits();
        return stop.getCount() == 0;
    }

    private long breathNanos() {
        return Math.clamp(roundNanos * BREATH_PER_ROUND, SHORTEST_BREATH.toNanos(), LONGEST_BREATH.toNanos());
    }

    // No failure ends the loop, not even an Error: the next round may find the world changed, and the log has it.
    private boolean succeeds() {
        try {
            work.run();
            lastSuccessNanos = System.nanoTime();
            return true;
        } catch (StoreUnavailable e) {
            LOG.log(Level.WARNING, "{0} waits for the store: {1}", name, e.getMessage());
            return false;
        } catch (BusUnavailable e) {
            LOG.log(Level.WARNING, "{0} waits for the bus: {1}", name, e.getMessage());
            return false;
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, name + " failed", e);
            return false;
        }
    }
}
