package dev.nonbis.core.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that takes one prepared batch after another to the disk.
 *
 * <pre>
 *   IDLE ──accept──▶ BUSY ──▶ IDLE      applied, and all callers answered
 *                      └────▶ FAILED    not applied; whoever prepared it takes it back, and then it is IDLE
 * </pre>
 */
final class Committer implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Committer.class.getName());

    /** Whether a batch is under way. */
    enum State {
        IDLE,
        BUSY,
        FAILED
    }

    /** A batch ready to be applied, what it changes in the cache, and who waits for it. */
    record Prepared(List<Write> writes, List<RowRef<?, ?>> changes, List<Pending<?>> blocks) {}

    /** A batch that was not applied. */
    record Failed(Prepared prepared, Throwable why) {}

    private final Backend backend;
    private final GroupCommit.Settings settings;
    private final RowCache cache;
    private final Runnable onChange;
    private final Thread thread;
    private volatile State state = State.IDLE;
    private volatile @Nullable Prepared next;
    private volatile @Nullable Failed failed;
    private volatile @Nullable StoreUnavailable trouble;
    private volatile boolean closing;

    /** Starts the thread. {@code onChange} is called after each change of state that it makes. */
    Committer(Backend backend, GroupCommit.Settings settings, RowCache cache, Runnable onChange) {
        this.backend = backend;
        this.settings = settings;
        this.cache = cache;
        this.onChange = onChange;
        this.thread = Thread.ofPlatform().name("nonbis-committer").start(this::commitUntilClosed);
    }

    State state() {
        return state;
    }

    /** Why the last batch could not be written; empty when it could. */
    Optional<StoreUnavailable> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Takes a batch; only in state IDLE. */
    void accept(Prepared prepared) {
        if (state != State.IDLE) {
            throw new IllegalStateException("a batch is under way");
        }
        state = State.BUSY;
        next = prepared;
        LockSupport.unpark(thread);
    }

    /** Gives a failed batch back; only in state FAILED. */
    Failed takeFailed() {
        var taken = failed;
        if (taken == null) {
            throw new IllegalStateException("no batch has failed");
        }
        failed = null;
        state = State.IDLE;
        return taken;
    }

    /** Applies a batch on the caller's thread; only while none is under way. Its callers are not answered. */
    void applyNow(Prepared prepared) {
        long started = settings.nanoTime().getAsLong();
        try {
            backend.apply(prepared.writes());
            trouble = null;
        } catch (StoreUnavailable unavailable) {
            trouble = unavailable;
            throw unavailable;
        }
        cache.changed(prepared.changes());
        tell(prepared.blocks().size(), settings.nanoTime().getAsLong() - started);
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        Ending.await(List.of(thread));
    }

    private void commitUntilClosed() {
        while (!closing) {
            var prepared = next;
            if (prepared == null) {
                LockSupport.park(this);
                continue;
            }
            next = null;
            commit(prepared);
        }
    }

    private void commit(Prepared prepared) {
        try {
            applyNow(prepared);
        } catch (RuntimeException | Error why) {
            failed = new Failed(prepared, why);
            state = State.FAILED;
            onChange.run();
            return;
        }
        // The next batch can be on its way before these callers are answered.
        state = State.IDLE;
        onChange.run();
        // Virtual threads wake each other for less than this one can.
        Thread.startVirtualThread(() -> prepared.blocks().forEach(Pending::wake));
    }

    // What is committed is committed, whatever a listener makes of it.
    private void tell(int operations, long nanos) {
        try {
            settings.listener().committed(operations, nanos);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a listener of commits failed", e);
        }
    }
}
