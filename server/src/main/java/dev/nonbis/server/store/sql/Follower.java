package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Ending;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The thread that brings the database up to its journal. It lets batches gather, because a page that many of them change is written once,
 * until somebody asks for the database, or they have waited long enough, or they are many.
 */
final class Follower implements AutoCloseable {

    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    // Times as long as it worked last, unless what waits is due by then anyway.
    private static final int REST = 3;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MANY_BYTES = 8 << 20;
    // They are in memory, and the journal grows with them.
    private static final long MOST_BYTES = 24 << 20;

    // The row's place in the orders, and objects around all of it.
    private static final int OVERHEAD_BYTES = 400;

    private final SqlBackend database;
    private final Ahead ahead;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition progress = lock.newCondition();
    private List<Journal.Batch> waiting = new ArrayList<>();
    private long waitingSince;
    // Of all that is not in the database, also of what is on its way.
    private long bytes;
    private long tries;
    private boolean hurry;
    // From then on it may be hurried again.
    private long restedAt = System.nanoTime();
    private boolean closing;
    private boolean ended;
    private @Nullable StoreUnavailable failure;
    private volatile long journaled;
    private volatile long applied;

    Follower(SqlBackend database, Ahead ahead, long position) {
        this.database = database;
        this.ahead = ahead;
        this.journaled = position;
        this.applied = position;
        this.thread = Thread.ofPlatform().name("nonbis-follower").start(this::followUntilClosed);
    }

    /** Up to which position the database has everything. */
    long applied() {
        return applied;
    }

    /** Takes a batch that is in the journal. */
    void follow(Journal.Batch batch) {
        lock.lock();
        try {
            if (batch.position() != journaled + 1) {
                throw new IllegalStateException("batch " + batch.position() + " does not follow " + journaled);
            }
            if (waiting.isEmpty()) {
                waitingSince = System.nanoTime();
                work.signal();
            }
            waiting.add(batch);
            bytes += size(batch);
            journaled = batch.position();
            if (bytes >= MANY_BYTES) {
                work.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits while too much is not in the database yet.
     *
     * @throws StoreUnavailable when the database takes nothing: nothing more may be acknowledged then
     */
    void makeRoom() {
        lock.lock();
        try {
            if (failure != null) {
                tryNow();
            }
            while (bytes >= MOST_BYTES && failure == null && !ended) {
                tryNow();
            }
            var why = failure;
            if (why != null) {
                throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, why.why(), String.valueOf(why.getMessage()), why);
            }
            if (ended) {
                throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the database follows no longer");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the database has all that was acknowledged before; whether it has. */
    boolean catchUp() {
        long wanted = journaled;
        if (applied >= wanted) {
            return true;
        }
        lock.lock();
        try {
            while (applied < wanted && failure == null && !ended) {
                tryNow();
            }
            return applied >= wanted;
        } finally {
            lock.unlock();
        }
    }

    private void tryNow() {
        long seen = tries;
        hurry = true;
        work.signal();
        while (tries == seen && !ended) {
            progress.awaitUninterruptibly();
        }
    }

    /** Whether the database has everything. */
    boolean isDone() {
        return applied == journaled;
    }

    /** Brings what there is to the database, if it can. */
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            work.signal();
        } finally {
            lock.unlock();
        }
        Ending.await(List.of(thread));
    }

    private void followUntilClosed() {
        try {
            var batches = next();
            while (!batches.isEmpty()) {
                if (!apply(batches)) {
                    return;
                }
                batches = next();
            }
        } catch (RuntimeException | Error broken) {
            database.stop(broken);
        } finally {
            lock.lock();
            try {
                ended = true;
                progress.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** What is to be applied now, once there is something; nothing when it is time to end. */
    private List<Journal.Batch> next() {
        lock.lock();
        try {
            while (!isDue() && !closing) {
                if (waiting.isEmpty()) {
                    // Whoever is in a hurry has what it wants.
                    hurry = false;
                    work.awaitUninterruptibly();
                } else {
                    work.awaitNanos(left());
                }
            }
            // What fails while it ends is left to the next start.
            if (closing && failure != null) {
                return List.of();
            }
            var taken = waiting;
            waiting = new ArrayList<>();
            hurry = false;
            return taken;
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the follower", e);
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue() {
        return !waiting.isEmpty() && left() <= 0;
    }

    private long left() {
        long now = System.nanoTime();
        if (failure != null) {
            return hurry ? 0 : waitingSince + RETRY_NANOS - now;
        }
        if (bytes >= MANY_BYTES) {
            return 0;
        }
        long left = waitingSince + LONGEST_NANOS - now;
        // Under load somebody is always in a hurry, and what is brought in small parts costs more.
        return hurry ? Math.min(left, restedAt - now) : left;
    }

    /** Whether to go on. */
    private boolean apply(List<Journal.Batch> batches) {
        long started = System.nanoTime();
        try {
            database.follow(batches);
        } catch (StoreUnavailable unavailable) {
            giveBack(batches, unavailable);
            return unavailable.fate() == Fate.DID_NOT_HAPPEN && !database.isStopped();
        } catch (RuntimeException | Error broken) {
            // What was checked before it was acknowledged must be taken; only a restart can show what is there.
            database.stop(broken);
            return false;
        }
        ahead.forget(batches);
        lock.lock();
        try {
            long now = System.nanoTime();
            restedAt = now + REST * (now - started);
            applied = batches.getLast().position();
            batches.forEach(batch -> bytes -= size(batch));
            failure = null;
            tries++;
            progress.signalAll();
        } finally {
            lock.unlock();
        }
        return true;
    }

    private void giveBack(List<Journal.Batch> batches, StoreUnavailable unavailable) {
        lock.lock();
        try {
            batches.addAll(waiting);
            waiting = batches;
            waitingSince = System.nanoTime();
            failure = unavailable;
            tries++;
            progress.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static long size(Journal.Batch batch) {
        long size = 0;
        for (var write : batch.writes()) {
            size += OVERHEAD_BYTES + write.row().key().length();
            size += switch (write) {
                case Write.Insert insert -> insert.body().length;
                case Write.Update update -> update.body().length;
                case Write.Delete delete -> 0;
                case Write.Expect expect -> 0;
            };
        }
        return size;
    }
}
