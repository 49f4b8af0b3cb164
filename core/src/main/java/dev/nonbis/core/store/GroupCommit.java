package dev.nonbis.core.store;

import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in which many callers share one flush to disk.
 *
 * <pre>
 *   callers ──▶ queue ──▶ writer: runs the blocks, applies, flushes, answers
 * </pre>
 *
 * What arrives while one batch is flushed is in the next one; nobody waits for a timer. Where the processors have more to do, the writer
 * lets others get on first, so that more callers share the next flush.
 */
public final class GroupCommit implements WatchedStore {

    private static final Logger LOG = System.getLogger(GroupCommit.class.getName());
    private static final int MAX_TRIES = 100;
    private static final int MOST_YIELDS = 3;
    // A sleeper is woken; this only bounds what a mistake there could cost.
    private static final long LONGEST_SLEEP_NANOS = 100_000_000;

    private final Backend backend;
    private final Settings settings;
    private final RowCache cache;
    private final Queue<Pending<?>> queue = new ConcurrentLinkedQueue<>();
    // In the queue or in the batch that gathers.
    private final AtomicInteger waiting = new AtomicInteger();
    private final Thread writer;
    private volatile boolean writerSleeps;
    private volatile boolean closing;
    private volatile @Nullable StoreUnavailable trouble;

    /**
     * How much may gather.
     *
     * @param maxBatch blocks applied together at most
     * @param maxWaiting blocks that may wait before callers are turned away
     * @param cached tables of which the rows used last are kept; only where no other process writes to the database
     * @param nanoTime a clock for measuring only
     */
    public record Settings(
            int maxBatch, int maxWaiting, Set<Table<?, ?>> cached, CommitListener listener, LongSupplier nanoTime) {}

    public GroupCommit(Backend backend, Settings settings) {
        this.backend = backend;
        this.settings = settings;
        this.cache = new RowCache(settings.cached());
        this.writer = Thread.ofPlatform().name("nonbis-writer").start(this::writeUntilClosed);
    }

    @Override
    public <R> R transact(List<RowRef<?, ?>> reads, Function<Tx, R> block) {
        var pending = new Pending<>(reads, block, Thread.currentThread());
        if (closing) {
            throw closed();
        }
        if (waiting.incrementAndGet() > settings.maxWaiting()) {
            waiting.decrementAndGet();
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN, Cause.OVERLOADED, settings.maxWaiting() + " operations are waiting already");
        }
        queue.add(pending);
        // The writer may have left between the check and the offer; what it never took did not happen.
        if (closing && queue.remove(pending)) {
            waiting.decrementAndGet();
            throw closed();
        }
        if (writerSleeps) {
            LockSupport.unpark(writer);
        }
        return pending.await();
    }

    @Override
    public <K, V> Optional<V> find(Table<K, V> table, K key) {
        return cache.find(table.row(key), backend::get);
    }

    @Override
    public <R> R read(Function<ReadTx, R> block) {
        return backend.read(snapshot -> block.apply(new ReadTx(snapshot)));
    }

    @Override
    public int waiting() {
        return waiting.get();
    }

    @Override
    public Optional<StoreUnavailable> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Lets what waits be written, then stops. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(writer);
        Ending.await(List.of(writer));
        backend.close();
    }

    private void writeUntilClosed() {
        while (true) {
            var next = new Gathering(true);
            gather(next);
            if (!next.isEmpty()) {
                waiting.addAndGet(-next.blocks.size());
                commit(next);
            } else if (!closing) {
                sleep();
            } else if (queue.isEmpty()) {
                return;
            }
        }
    }

    // Not until nobody is left: those behind keep the processors busy during the flush.
    @SuppressWarnings("ThreadPriorityCheck") // a hint that costs nothing where it is not heard
    private void gather(Gathering next) {
        int yields = 0;
        while (next.takeFrom(queue, settings.maxBatch()) && yields < MOST_YIELDS) {
            Thread.yield();
            yields++;
        }
    }

    // A caller looks at the flag after it has joined the queue, so that either it wakes us or we see it there.
    private void sleep() {
        writerSleeps = true;
        if (queue.isEmpty() && !closing) {
            LockSupport.parkNanos(this, LONGEST_SLEEP_NANOS);
        }
        writerSleeps = false;
    }

    /** Whatever comes of it, all its callers get their answers. */
    private void commit(Gathering next) {
        List<Write> writes;
        try {
            writes = next.batch.writes();
        } catch (RuntimeException | Error unwritable) {
            // It names no block, so each is tried by itself.
            alone(next.blocks);
            return;
        }
        try {
            apply(next, writes);
        } catch (WriteConflict conflict) {
            distrusting(next.blocks);
            return;
        } catch (RuntimeException | Error why) {
            next.blocks.forEach(pending -> pending.failAndWake(why));
            return;
        }
        // Virtual threads wake each other for less than this one can.
        Thread.startVirtualThread(() -> next.blocks.forEach(Pending::wake));
    }

    private void apply(Gathering next, List<Write> writes) {
        if (writes.isEmpty()) {
            return;
        }
        long started = settings.nanoTime().getAsLong();
        try {
            backend.apply(writes);
            trouble = null;
        } catch (StoreUnavailable unavailable) {
            trouble = unavailable;
            throw unavailable;
        }
        cache.changed(next.batch.changesOf(settings.cached()));
        tell(next.blocks.size(), settings.nanoTime().getAsLong() - started);
    }

    // What is committed is committed, whatever a listener makes of it.
    private void tell(int operations, long nanos) {
        try {
            settings.listener().committed(operations, nanos);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a listener of commits failed", e);
        }
    }

    // Most conflicts are rows that callers took to be absent while another wrote them, as happens when one request is
    // sent many times at once; asking for them settles all together.
    private void distrusting(List<Pending<?>> blocks) {
        try {
            if (commitNow(blocks)) {
                blocks.forEach(Pending::wake);
                return;
            }
        } catch (StoreUnavailable unavailable) {
            blocks.forEach(pending -> pending.failAndWake(unavailable));
            return;
        } catch (RuntimeException | Error unwritable) {
            // It names no block, so each is tried by itself.
        }
        alone(blocks);
    }

    // A conflict names no block either: those that are well go through.
    private void alone(List<Pending<?>> blocks) {
        for (var pending : blocks) {
            try {
                for (int i = 1; !commitNow(List.of(pending)); i++) {
                    if (i == MAX_TRIES) {
                        throw new IllegalStateException("a transaction conflicts with itself");
                    }
                }
                pending.wake();
            } catch (RuntimeException | Error failure) {
                pending.failAndWake(failure);
            }
        }
    }

    /** Commits these without trusting what their callers found; whether no conflict came up. */
    private boolean commitNow(List<Pending<?>> blocks) {
        var gathering = new Gathering(false);
        gathering.take(blocks);
        try {
            apply(gathering, gathering.batch.writes());
            return true;
        } catch (WriteConflict conflict) {
            return false;
        }
    }

    private static StoreUnavailable closed() {
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
    }

    /** The batch that gathers, and the blocks that have run in it. */
    private final class Gathering {

        final Batch batch;
        final List<Pending<?>> blocks = new ArrayList<>();

        Gathering(boolean trusting) {
            this.batch = new Batch(backend::fetch, trusting);
        }

        boolean isEmpty() {
            return blocks.isEmpty();
        }

        boolean takeFrom(Queue<Pending<?>> from, int most) {
            var taken = new ArrayList<Pending<?>>();
            while (blocks.size() + taken.size() < most) {
                var pending = from.poll();
                if (pending == null) {
                    break;
                }
                taken.add(pending);
            }
            take(taken);
            return !taken.isEmpty();
        }

        void take(List<Pending<?>> taken) {
            if (taken.isEmpty()) {
                return;
            }
            blocks.addAll(taken);
            var reads = new LinkedHashSet<RowRef<?, ?>>();
            taken.forEach(pending -> reads.addAll(pending.reads));
            try {
                batch.prefetch(reads);
            } catch (RuntimeException | Error unread) {
                // Each block meets the same trouble when it reads, unless it has passed by then.
            }
            taken.forEach(pending -> pending.run(batch));
        }
    }
}
