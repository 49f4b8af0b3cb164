package dev.nonbis.testkit.store;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Function;

/** A back end that fails when its plan says so. */
public final class FaultyBackend implements Backend {

    /** What is being asked of the back end. */
    public enum Call {
        FETCH,
        APPLY,
        READ
    }

    /** How one call goes. */
    public enum Fault {
        NONE,
        /** Nothing happens, and the caller is told so. */
        REFUSED,
        /** Nothing happens, and the caller cannot know. */
        REQUEST_LOST,
        /** It happens, and the caller cannot know. */
        REPLY_LOST
    }

    /** Says how the next call goes. */
    public interface Plan {
        Fault next(Call call);
    }

    /** Faults in the order in which they were asked for, each for the next call of its kind. */
    public static final class Script implements Plan {

        private final Map<Call, Queue<Fault>> next = new EnumMap<>(Call.class);

        public synchronized Script then(Call call, Fault fault) {
            next.computeIfAbsent(call, c -> new ArrayDeque<>()).add(fault);
            return this;
        }

        @Override
        public synchronized Fault next(Call call) {
            var faults = next.get(call);
            var fault = faults == null ? null : faults.poll();
            return fault == null ? Fault.NONE : fault;
        }
    }

    /** Faults by chance; the same seed and the same calls give the same faults. */
    public static final class Seeded implements Plan {

        private static final List<Fault> FAULTS = List.of(Fault.REFUSED, Fault.REQUEST_LOST, Fault.REPLY_LOST);

        private final SplittableRandom random;
        private final double faultsPerCall;

        public Seeded(long seed, double faultsPerCall) {
            this.random = new SplittableRandom(seed);
            this.faultsPerCall = faultsPerCall;
        }

        @Override
        public synchronized Fault next(Call call) {
            return random.nextDouble() < faultsPerCall ? FAULTS.get(random.nextInt(FAULTS.size())) : Fault.NONE;
        }
    }

    private final Backend backend;
    private final Plan plan;

    public FaultyBackend(Backend backend, Plan plan) {
        this.backend = backend;
        this.plan = plan;
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        failUnlessNone(Call.FETCH);
        return backend.fetch(rows);
    }

    @Override
    public void apply(List<Write> writes) {
        switch (plan.next(Call.APPLY)) {
            case NONE -> backend.apply(writes);
            case REFUSED -> throw failure(Fate.DID_NOT_HAPPEN, "refused");
            case REQUEST_LOST -> throw failure(Fate.UNKNOWN, "request lost");
            case REPLY_LOST -> {
                backend.apply(writes);
                throw failure(Fate.UNKNOWN, "reply lost");
            }
        }
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        failUnlessNone(Call.READ);
        return backend.read(block);
    }

    @Override
    public void close() {
        backend.close();
    }

    // What only looks has no effect that could be in doubt, so every fault is the same.
    private void failUnlessNone(Call call) {
        if (plan.next(call) != Fault.NONE) {
            throw failure(Fate.DID_NOT_HAPPEN, "refused");
        }
    }

    private static StoreUnavailable failure(Fate fate, String what) {
        return new StoreUnavailable(fate, Cause.FAILED, "a fault on purpose: " + what);
    }
}
