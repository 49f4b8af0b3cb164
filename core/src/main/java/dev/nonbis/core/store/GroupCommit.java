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

/**
 * A store in which many callers share one flush to disk. Two threads work on it, one batch behind the other:
 *
 * <pre>
 *   callers ──▶ queue ──▶ preparer: runs the blocks ──▶ committer: applies, flushes, answers
 * </pre>
 *
 * While one batch is on its way to the disk the next one gathers and runs on top of it; nobody waits for a timer. Should the batch
 * below fail, what ran on top of it runs again without it.
 */
public final class GroupCommit implements WatchedStore {

    private static final Logger LOG = System.getLogger(GroupCommit.class.getName());
    private static final int MAX_TRIES = 100;
    // A sleeper is woken; this only bounds what a mistake there could cost.
    private static final long LONGEST_SLEEP_NANOS = 100_000_000;

    private final Backend backend;
    private final Settings settings;
    private final RowCache cache;
    private final Queue<Pending<?>> queue = new ConcurrentLinkedQueue<>();
    // In the queue or in the batch that gathers.
    private final AtomicInteger waiting = new AtomicInteger();
    private final Committer committer;
    private final Thread preparer;
    private volatile boolean preparerSleeps;
    private volatile boolean closing;

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
        this.preparer = Thread.ofPlatform().name("nonbis-preparer").unstarted(this::prepareUntilClosed);
        this.committer = new Committer(backend, settings, cache, this::wakePreparer);
        preparer.start();
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
        // The preparer may have left between the check and the offer; what it never took did not happen.
        if (closing && queue.remove(pending)) {
            waiting.decrementAndGet();
            throw closed();
        }
        wakePreparer();
        return pending.await();
    }

    private void wakePreparer() {
        if (preparerSleeps) {
            LockSupport.unpark(preparer);
        }
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
        return committer.trouble();
    }

    /** Lets what waits be written, then stops. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(preparer);
        Ending.await(List.of(preparer));
        committer.close();
        backend.close();
    }

    private void prepareUntilClosed() {
        var next = new Gathering(Optional.empty());
        while (true) {
            var state = committer.state();
            if (state == Committer.State.FAILED) {
                settle(committer.takeFailed());
                next = next.again();
            }
            if (state == Committer.State.IDLE && next.isEmpty()) {
                // What was below is on the disk, where others may have changed it since.
                next = new Gathering(Optional.empty());
            }
            boolean took = next.takeFrom(queue, settings.maxBatch());
            if (!next.isEmpty() && state == Committer.State.IDLE) {
                next = new Gathering(handOver(next) ? Optional.of(next.batch) : Optional.empty());
            } else if (!took && state != Committer.State.FAILED) {
                if (closing && next.isEmpty() && state == Committer.State.IDLE && queue.isEmpty()) {
                    return;
                }
                sleep(state, next);
            }
        }
    }

    // Whoever changes what is slept on looks at the flag afterwards, so that either it wakes us or we see the change.
    private void sleep(Committer.State seen, Gathering next) {
        preparerSleeps = true;
        if (committer.state() == seen && (queue.isEmpty() || next.isFull(settings.maxBatch())) && !stopsNow(seen)) {
            LockSupport.parkNanos(this, LONGEST_SLEEP_NANOS);
        }
        preparerSleeps = false;
    }

    private boolean stopsNow(Committer.State seen) {
        return closing && seen == Committer.State.IDLE;
    }

    /** Whether the batch is on its way; if it is not, all its callers have their answers. */
    private boolean handOver(Gathering next) {
        waiting.addAndGet(-next.blocks.size());
        List<Write> writes;
        try {
            writes = next.batch.writes();
        } catch (RuntimeException | Error unwritable) {
            // It names no block, so each is tried by itself.
            alone(next.blocks);
            return false;
        }
        if (writes.isEmpty()) {
            next.blocks.forEach(Pending::wake);
            return false;
        }
        next.batch.forgetBelow();
        committer.accept(new Committer.Prepared(writes, next.batch.changesOf(settings.cached()), next.blocks));
        return true;
    }

    private void settle(Committer.Failed failed) {
        if (failed.why() instanceof WriteConflict) {
            distrusting(failed.prepared().blocks());
        } else {
            failed.prepared().blocks().forEach(pending -> pending.failAndWake(failed.why()));
        }
    }

    // Most conflicts are rows that callers took to be absent while another wrote them, as happens when one request is
    // sent many times at
    // once; asking for them settles all together.
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

    // A conflict names no block either: those that are well go through. The committer is idle, so its work can be done
    // here.
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

    /** Commits these on this thread; whether no conflict came up. */
    private boolean commitNow(List<Pending<?>> blocks) {
        var gathering = new Gathering(Optional.empty(), false);
        gathering.take(blocks);
        var writes = gathering.batch.writes();
        if (!writes.isEmpty()) {
            try {
                committer.applyNow(
                        new Committer.Prepared(writes, gathering.batch.changesOf(settings.cached()), blocks));
            } catch (WriteConflict conflict) {
                return false;
            }
        }
        return true;
    }

    private static StoreUnavailable closed() {
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
    }

    /** The batch that gathers, and the blocks that have run in it. */
    private final class Gathering {

        final Batch batch;
        final List<Pending<?>> blocks = new ArrayList<>();

        Gathering(Optional<Batch> below) {
            this(below, true);
        }

        Gathering(Optional<Batch> below, boolean trusting) {
            this.batch = new Batch(backend::fetch, below, trusting);
        }

        boolean isEmpty() {
            return blocks.isEmpty();
        }

        boolean isFull(int most) {
            return blocks.size() >= most;
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
            } catch (RuntimeException unread) {
                // Each block meets the same trouble when it reads, unless it has passed by then.
            }
            taken.forEach(pending -> pending.run(batch));
            encodeAhead();
        }

        // What cannot be encoded shows again when the batch has to go, and is settled there.
        private void encodeAhead() {
            try {
                batch.encodeAhead();
            } catch (RuntimeException unencodable) {
                LOG.log(Level.DEBUG, "a row cannot be encoded", unencodable);
            }
        }

        /** The same blocks on a new batch with nothing below it. */
        Gathering again() {
            var fresh = new Gathering(Optional.empty());
            fresh.take(blocks);
            return fresh;
        }
    }
}
