package dev.nonbis.server.api;

import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.operation.PollWork.Delivery;
import dev.nonbis.core.operation.PollWork.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets workers wait for work: each looks when it comes, when there is news, and now and then in case that another server has some. */
public final class LongPoll implements AutoCloseable {

    static final Duration LONGEST = Duration.ofSeconds(30);

    private static final Duration LOOK_ANYWAY = Duration.ofSeconds(1);
    // More than these are answered at once: a waiting worker costs little, but not nothing.
    private static final int MAX_WAITING = 5000;

    private final PollWork work;
    private final Semaphore seats = new Semaphore(MAX_WAITING);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private long newsSoFar;
    private boolean closed;
    private final WorkersSeen workers = new WorkersSeen();

    public LongPoll(PollWork work) {
        this.work = work;
    }

    /** Who has asked. */
    public WorkersSeen workers() {
        return workers;
    }

    List<Delivery> poll(Wanted wanted, Duration wait) {
        long seen = newsSoFar();
        var found = work.poll(wanted);
        if (!found.isEmpty() || wait.isZero() || !seats.tryAcquire()) {
            return found;
        }
        try {
            long end = System.nanoTime() + wait.toNanos();
            long left = wait.toNanos();
            while (found.isEmpty() && left > 0 && await(seen, Math.min(left, LOOK_ANYWAY.toNanos()))) {
                seen = newsSoFar();
                found = work.poll(wanted);
                left = end - System.nanoTime();
            }
            return found;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return found;
        } finally {
            seats.release();
        }
    }

    /** There may be work. */
    public void news() {
        lock.lock();
        try {
            newsSoFar++;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whoever waits is answered now. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How many workers wait. */
    public int waiting() {
        return MAX_WAITING - seats.availablePermits();
    }

    private long newsSoFar() {
        lock.lock();
        try {
            return newsSoFar;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for news since this many; false when there is no point in looking again. */
    private boolean await(long seen, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (newsSoFar == seen && !closed && left > 0) {
                left = news.awaitNanos(left);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }
}
