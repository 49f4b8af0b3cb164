package dev.nonbis.core.store;

import dev.nonbis.core.store.Backend.Transaction;
import dev.nonbis.core.store.Backend.Wanted;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store on a database that other servers write to as well. Many callers share one transaction of the database, and a few such
 * transactions, for different owners, are under way at a time:
 *
 * <pre>
 *   callers ──▶ turns ──┬─▶ lane: begins for some owners, runs their blocks, commits, answers
 *                       ├─▶ lane
 *                       └─▶ an owner that another server is at work for: waits apart, so that nobody else does
 * </pre>
 *
 * Blocks read inside the transaction that writes, so they never build on what another server has replaced. Nothing is kept from one
 * transaction to the next.
 */
public final class SharedStore implements WatchedStore {

    private static final Logger LOG = System.getLogger(SharedStore.class.getName());

    private final Backend backend;
    private final Settings settings;
    private final Turns turns;
    private final Finder finder;
    private final Semaphore patientSeats;
    private final List<Thread> lanes = new ArrayList<>();
    private volatile @Nullable StoreUnavailable trouble;

    /**
     * How much is done at a time.
     *
     * @param lanes transactions for which nobody waits
     * @param patientLanes transactions that wait for other servers
     * @param maxBatch blocks in one transaction at most
     * @param maxWaiting blocks that may wait before callers are turned away
     * @param patience how long a block waits for other servers before its caller is told that they are busy
     * @param nanoTime a clock for measuring only
     */
    public record Settings(
            int lanes,
            int patientLanes,
            int maxBatch,
            int maxWaiting,
            Duration patience,
            CommitListener listener,
            LongSupplier nanoTime) {}

    public SharedStore(Backend backend, Settings settings) {
        this.backend = backend;
        this.settings = settings;
        this.turns = new Turns(settings.maxWaiting(), backend.ownersTogether());
        this.finder = new Finder(backend);
        this.patientSeats = new Semaphore(settings.patientLanes(), true);
        for (int i = 1; i <= settings.lanes(); i++) {
            lanes.add(Thread.ofPlatform().name("nonbis-lane-" + i).start(this::workUntilClosed));
        }
    }

    @Override
    public <R> R transact(List<RowRef<?, ?>> reads, Function<Tx, R> block) {
        var pending = new Pending<>(reads, block, Thread.currentThread());
        turns.add(pending);
        return pending.await();
    }

    @Override
    public <K, V> Optional<V> find(Table<K, V> table, K key) {
        return finder.find(table.row(key)).map(table::read);
    }

    @Override
    public <R> R read(Function<ReadTx, R> block) {
        return backend.read(snapshot -> block.apply(new ReadTx(snapshot)));
    }

    @Override
    public int waiting() {
        return turns.waiting();
    }

    @Override
    public Optional<StoreUnavailable> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Lets what waits be written, then stops. */
    @Override
    public void close() {
        turns.close();
        boolean interrupted = false;
        for (var lane : lanes) {
            while (lane.isAlive()) {
                try {
                    lane.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        finder.close();
        backend.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void workUntilClosed() {
        for (var turn = turns.next(settings.maxBatch()); turn.isPresent(); turn = turns.next(settings.maxBatch())) {
            work(turn.get());
        }
    }

    private void work(Turns.Turn turn) {
        var owners = new HashSet<>(turn.owners());
        try {
            for (var group : groups(settle(turn.blocks(), Way.QUICK))) {
                owners.removeAll(group.owners());
                turns.split();
                Thread.ofVirtual().name("nonbis-patient-lane").start(() -> waitFor(group));
            }
        } finally {
            turns.end(owners);
        }
    }

    private void waitFor(Turns.Turn group) {
        try {
            if (patientSeats.tryAcquire(settings.patience().toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    settle(group.blocks(), Way.PATIENT);
                } finally {
                    patientSeats.release();
                }
            } else {
                failBusy(group, busy());
            }
        } catch (InterruptedException e) {
            failBusy(group, busy());
        } finally {
            turns.end(group.owners());
        }
    }

    /** Runs and commits the blocks and answers their callers, except those whose owners are busy elsewhere, which it returns. */
    private List<Pending<?>> settle(List<Pending<?>> blocks, Way way) {
        var effort = new Effort(blocks, way);
        try {
            return effort.commit();
        } catch (StoreUnavailable failure) {
            trouble = failure;
            if (way.joins() && failure.why() == Cause.BUSY && !(failure.getCause() instanceof WriteConflict)) {
                failBusy(new Turns.Turn(effort.blocks, effort.owners()), failure);
            } else {
                failAll(effort.blocks, failure);
            }
        } catch (RuntimeException | Error failure) {
            if (effort.blocks.size() == 1) {
                failAll(effort.blocks, failure);
            } else {
                // It names no block, so each is tried by itself.
                var busy = new ArrayList<Pending<?>>();
                effort.blocks.forEach(pending -> busy.addAll(settle(List.of(pending), way.alone())));
                return busy;
            }
        }
        return List.of();
    }

    // An owner that was busy for so long is busy for all who have asked meanwhile, so that nobody waits longer than
    // that.
    private void failBusy(Turns.Turn group, StoreUnavailable why) {
        failAll(group.blocks(), why);
        failAll(turns.more(group.owners(), Integer.MAX_VALUE), why);
    }

    private static void failAll(List<Pending<?>> blocks, Throwable why) {
        blocks.forEach(pending -> pending.failAndWake(why));
    }

    private static StoreUnavailable busy() {
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.BUSY, "another server is at work for this tenant");
    }

    /** Blocks that share no owner with those of another group; each keeps the owners of its blocks. */
    private static List<Turns.Turn> groups(List<Pending<?>> blocks) {
        var groups = new ArrayList<Turns.Turn>();
        for (var pending : blocks) {
            var group = new Turns.Turn(new ArrayList<>(), new HashSet<>(pending.owners()));
            for (var all = groups.iterator(); all.hasNext(); ) {
                var other = all.next();
                if (other.owners().stream().anyMatch(pending.owners()::contains)) {
                    group.blocks().addAll(other.blocks());
                    group.owners().addAll(other.owners());
                    all.remove();
                }
            }
            group.blocks().add(pending);
            groups.add(group);
        }
        return groups;
    }

    // What is committed is committed, whatever a listener makes of it.
    private void tell(int operations, long nanos) {
        try {
            settings.listener().committed(operations, nanos);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a listener of commits failed", e);
        }
    }

    /**
     * How blocks are tried.
     *
     * @param waits for owners that another server is at work for
     * @param joins whether those that came meanwhile for the same owners are taken along
     */
    private record Way(boolean waits, boolean joins) {

        static final Way QUICK = new Way(false, true);
        static final Way PATIENT = new Way(true, true);

        Way alone() {
            return new Way(waits, false);
        }
    }

    /** The tries to commit some blocks together. */
    private final class Effort {

        final List<Pending<?>> blocks;
        private final Way way;
        private final Set<RowRef<?, ?>> rows = new LinkedHashSet<>();
        private final long started = settings.nanoTime().getAsLong();
        // Blocks may take a row to be absent because their callers found it so, until a conflict shows that one is not.
        private boolean trusting = true;

        Effort(List<Pending<?>> blocks, Way way) {
            this.blocks = new ArrayList<>(blocks);
            this.way = way;
            blocks.forEach(pending -> rows.addAll(pending.reads));
        }

        List<Pending<?>> commit() {
            while (true) {
                try (var transaction = backend.begin(new Wanted(owners(), rows, way.waits()))) {
                    if (way.joins()) {
                        join(transaction);
                    }
                    var mine = blocks.stream()
                            .filter(pending -> transaction.owners().containsAll(pending.owners()))
                            .toList();
                    if (mine.isEmpty() || run(transaction, mine)) {
                        blocks.removeAll(mine);
                        // Virtual threads wake each other for less than a lane can, which has the next turn to take.
                        Thread.startVirtualThread(() -> mine.forEach(Pending::wake));
                        return blocks;
                    }
                } catch (WriteConflict conflict) {
                    giveUpIfInVain(conflict);
                    trusting = false;
                }
            }
        }

        // A conflict names no block. One that will not end must not keep the others from going through, each by itself.
        private void giveUpIfInVain(WriteConflict conflict) {
            long patience = settings.patience().toNanos();
            long spent = settings.nanoTime().getAsLong() - started;
            if (!trusting && blocks.size() > 1 && spent > patience / 2) {
                throw conflict;
            }
            if (spent > patience) {
                LOG.log(Level.WARNING, "rows kept changing under a transaction", conflict);
                throw new StoreUnavailable(
                        Fate.DID_NOT_HAPPEN, Cause.BUSY, "rows kept changing: " + conflict.getMessage(), conflict);
            }
        }

        private Set<String> owners() {
            return blocks.stream().flatMap(pending -> pending.owners().stream()).collect(Collectors.toSet());
        }

        // Those who came while this one took its locks need not wait again.
        private void join(Transaction transaction) {
            var more = turns.more(transaction.owners(), settings.maxBatch() - blocks.size());
            blocks.addAll(more);
            more.forEach(pending -> rows.addAll(pending.reads));
        }

        /** Whether the blocks ran and were committed; if not, they have to run again for more owners. */
        private boolean run(Transaction transaction, List<Pending<?>> mine) {
            long begun = settings.nanoTime().getAsLong();
            var batch = new Batch(transaction::fetch, trusting);
            batch.prefetch(trusting ? reads(mine) : owned(transaction));
            mine.forEach(pending -> pending.run(batch));
            rows.addAll(batch.touched());
            if (haveStrayed(transaction, mine, batch)) {
                return false;
            }
            var writes = batch.writes();
            transaction.commit(writes);
            trouble = null;
            if (!writes.isEmpty()) {
                tell(mine.size(), settings.nanoTime().getAsLong() - begun);
            }
            return true;
        }

        private Set<RowRef<?, ?>> reads(List<Pending<?>> mine) {
            return mine.stream().flatMap(pending -> pending.reads.stream()).collect(Collectors.toSet());
        }

        private Set<RowRef<?, ?>> owned(Transaction transaction) {
            return rows.stream()
                    .filter(row -> transaction.owners().contains(row.owner()))
                    .collect(Collectors.toSet());
        }

        // Only rows of the transaction's owners stay as they were read.
        private boolean haveStrayed(Transaction transaction, List<Pending<?>> mine, Batch batch) {
            var strange = batch.touched().stream().map(RowRef::owner).collect(Collectors.toSet());
            strange.removeAll(transaction.owners());
            if (strange.isEmpty()) {
                return false;
            }
            if (mine.size() > 1) {
                throw new IllegalStateException("one of several blocks has touched rows of others than it announced");
            }
            mine.getFirst().owners().addAll(strange);
            return true;
        }
    }
}
