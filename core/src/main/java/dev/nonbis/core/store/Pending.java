package dev.nonbis.core.store;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A block that waits, and its caller. */
final class Pending<R> {

    final List<RowRef<?, ?>> reads;
    private final Function<Tx, R> block;
    private final Thread caller;
    private @Nullable R result;
    private @Nullable Throwable failure;
    private volatile boolean answered;
    private @Nullable Set<String> owners;

    Pending(List<RowRef<?, ?>> reads, Function<Tx, R> block, Thread caller) {
        this.reads = reads;
        this.block = block;
        this.caller = caller;
    }

    /** Whose rows the block touches: those announced, and those found out by running it. Used by one thread at a time. */
    Set<String> owners() {
        if (owners == null) {
            owners = new HashSet<>();
            for (var row : reads) {
                owners.add(row.owner());
            }
        }
        return owners;
    }

    /** Runs the block, perhaps not for the first time; only the last run counts. */
    void run(Batch batch) {
        result = null;
        failure = null;
        try {
            result = batch.run(block);
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    void failAndWake(Throwable why) {
        failure = why;
        wake();
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

    // The exception is told as it is; its stack names the thread on which it happened.
    private static RuntimeException rethrown(Throwable failure) {
        return switch (failure) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> new IllegalStateException(failure);
        };
    }
}
