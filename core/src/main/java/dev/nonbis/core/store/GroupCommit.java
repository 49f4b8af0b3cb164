package dev.nonbis.core.store;

import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in which many callers share one flush to disk: one thread takes the blocks that wait, runs them one after another, applies
 * their writes together and then answers all. While it flushes, the next batch gathers; nobody waits for a timer.
 */
public final class GroupCommit implements Store {

    private static final Logger LOG = System.getLogger(GroupCommit.class.getName());
    private static final int MAX_TRIES = 100;

    private final Backend backend;
    private final Settings settings;
    private final BlockingQueue<Pending<?>> queue;
    private final Thread writer;
    private volatile boolean closing;

    /**
     * How much may gather.
     *
     * @param maxBatch blocks applied together at most
     * @param maxWaiting blocks that may wait before callers are turned away
     * @param nanoTime a clock for measuring only
     */
    public record Settings(int maxBatch, int maxWaiting, CommitListener listener, LongSupplier nanoTime) {}

    public GroupCommit(Backend backend, Settings settings) {
        this.backend = backend;
        this.settings = settings;
        this.queue = new ArrayBlockingQueue<>(settings.maxWaiting());
        this.writer = Thread.ofPlatform().name("nonbis-writer").start(this::writeUntilClosed);
    }

    @Override
    public <R> R transact(List<RowRef<?, ?>> reads, Function<Tx, R> block) {
        var pending = new Pending<>(reads, block, Thread.currentThread());
        if (closing) {
            throw closed();
        }
        if (!queue.offer(pending)) {
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN, Cause.OVERLOADED, settings.maxWaiting() + " operations are waiting already");
        }
        // The writer may have left between the check and the offer; what it never took did not happen.
        if (closing && queue.remove(pending)) {
            throw closed();
        }
        return pending.await();
    }

    @Override
    public <K, V> Optional<V> find(Table<K, V> table, K key) {
        return backend.get(table.row(key)).map(row -> table.decode().apply(row.body()));
    }

    @Override
    public <R> R read(Function<ReadTx, R> block) {
        return backend.read(snapshot -> block.apply(new ReadTx(snapshot)));
    }

    /** How many operations wait for the writer. */
    public int waiting() {
        return queue.size();
    }

    /** Lets what waits be written, then stops. */
    @Override
    public void close() {
        closing = true;
        boolean interrupted = false;
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        backend.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeUntilClosed() {
        var batch = new ArrayList<Pending<?>>();
        while (true) {
            try {
                var first = queue.poll(50, TimeUnit.MILLISECONDS);
                if (first == null) {
                    if (closing) {
                        return;
                    }
                    continue;
                }
                batch.add(first);
                queue.drainTo(batch, settings.maxBatch() - 1);
                commit(batch);
            } catch (InterruptedException e) {
                // Nobody may interrupt the writer: what it has taken must be answered.
            } finally {
                batch.clear();
            }
        }
    }

    private void commit(List<Pending<?>> batch) {
        try {
            if (!tryCommit(batch)) {
                commitEachAlone(batch);
            }
        } catch (RuntimeException | Error failure) {
            batch.forEach(pending -> pending.fail(failure));
        }
        batch.forEach(Pending::wake);
    }

    // A conflict names no block, so each runs by itself: those that are well go through.
    private void commitEachAlone(List<Pending<?>> batch) {
        for (var pending : batch) {
            try {
                for (int i = 1; !tryCommit(List.of(pending)); i++) {
                    if (i == MAX_TRIES) {
                        throw new IllegalStateException("a transaction conflicts with itself");
                    }
                }
            } catch (RuntimeException | Error failure) {
                pending.fail(failure);
            }
        }
    }

    private boolean tryCommit(List<Pending<?>> blocks) {
        long started = settings.nanoTime().getAsLong();
        var batch = new Batch(backend);
        var reads = new LinkedHashSet<RowRef<?, ?>>();
        for (var pending : blocks) {
            reads.addAll(pending.reads);
        }
        batch.prefetch(reads);
        for (var pending : blocks) {
            pending.run(batch);
        }
        var writes = batch.writes();
        if (!writes.isEmpty()) {
            try {
                backend.apply(writes);
            } catch (WriteConflict conflict) {
                return false;
            }
            tell(blocks.size(), settings.nanoTime().getAsLong() - started);
        }
        return true;
    }

    // What is committed is committed, whatever a listener makes of it.
    private void tell(int operations, long nanos) {
        try {
            settings.listener().committed(operations, nanos);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a listener of commits failed", e);
        }
    }

    private static StoreUnavailable closed() {
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
    }

    /** A block that waits, and its caller. */
    private static final class Pending<R> {

        final List<RowRef<?, ?>> reads;
        private final Function<Tx, R> block;
        private final Thread caller;
        private @Nullable R result;
        private @Nullable Throwable failure;
        private volatile boolean answered;

        Pending(List<RowRef<?, ?>> reads, Function<Tx, R> block, Thread caller) {
            this.reads = reads;
            this.block = block;
            this.caller = caller;
        }

        void run(Batch batch) {
            result = null;
            failure = null;
            try {
                result = batch.run(block);
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }

        void fail(Throwable why) {
            failure = why;
        }

        void wake() {
            answered = true;
            LockSupport.unpark(caller);
        }

        // The result is set whenever no failure is; a block may return null only if its type says so.
        @SuppressWarnings("NullAway")
        R await() {
            boolean interrupted = false;
            while (!answered) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (failure != null) {
                throw rethrown(failure);
            }
            return result;
        }

        // The writer's exception, told to the caller as it is; its stack names the writer, which is where it happened.
        private static RuntimeException rethrown(Throwable failure) {
            return switch (failure) {
                case RuntimeException e -> e;
                case Error e -> throw e;
                default -> new IllegalStateException(failure);
            };
        }
    }
}
