package dev.nonbis.server.events;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes those who wait for something to have happened. Telling is cheap, however many wait. */
final class News {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private long soFar;
    private boolean closed;

    void tell() {
        lock.lock();
        try {
            soFar++;
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A number that changes with every telling. */
    long soFar() {
        lock.lock();
        try {
            return soFar;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something was told since this number, or the time is over; false once closed. */
    boolean await(long seen, long nanos) throws InterruptedException {
        return await(nanos, () -> soFar != seen);
    }

    /** Waits for the time, whatever is told meanwhile; false once closed. */
    boolean pause(long nanos) throws InterruptedException {
        return await(nanos, () -> false);
    }

    private boolean await(long nanos, java.util.function.BooleanSupplier enough) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && left > 0 && !enough.getAsBoolean()) {
                left = told.awaitNanos(left);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
