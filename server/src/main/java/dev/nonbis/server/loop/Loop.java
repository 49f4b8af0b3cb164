package dev.nonbis.server.loop;

import dev.nonbis.core.store.StoreUnavailable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does a piece of work every interval, on a thread of its own, and once more when it is closed. */
public final class Loop implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Loop.class.getName());
    private static final int LONGEST_BACK_OFF = 32;

    private final String name;
    private final Duration interval;
    private final Runnable work;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

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

    @Override
    public void close() {
        stop.countDown();
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
                stopping = stop.await(interval.toNanos() * backOff, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                return;
            }
            backOff = succeeds() ? 1 : Math.min(LONGEST_BACK_OFF, backOff * 2);
        }
    }

    // A mistake of ours must not end the loop: the next round may find the world changed, and the log has it.
    private boolean succeeds() {
        try {
            work.run();
            return true;
        } catch (StoreUnavailable e) {
            LOG.log(Level.WARNING, "{0} waits for the store: {1}", name, e.getMessage());
            return false;
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, name + " failed", e);
            return false;
        }
    }
}
