package dev.nonbis.server.http;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How much memory the bodies and answers in flight may take together. A tenant may hold at most as much as is still free after it took
 * more: alone it gets half of the budget, ten that ask for more share it evenly, and what one holds is never all. Callers without a
 * credential are treated as one more tenant with a small share. A part is kept for accounts that hold little.
 */
public final class MemoryBudget {

    /** Of the heap. One tenant's share must have room for the costliest body there can be ({@link BodyCost}). */
    private static final int PART_OF_HEAP = 3;

    private static final long LEAST_BYTES = 64L << 20;

    /** An account that holds no more than this may use the part that is kept back. */
    private static final int SMALL_BYTES = 64 << 10;

    /** An answer of this length is always given: health checks and refusals must not depend on what others hold. */
    private static final int SMALL_ANSWER_BYTES = 16 << 10;

    /** Most of what is held is given back within milliseconds. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);

    private static final int PART_FOR_SMALL = 8;
    private static final int PART_FOR_UNKNOWN = 16;

    private final long bytes;
    private final Map<Optional<TenantId>, Long> usedBy = new HashMap<>();
    private long used;

    public MemoryBudget(long bytes) {
        this.bytes = bytes;
    }

    /** A share of the heap that this process may use. */
    public static MemoryBudget ofHeap() {
        return new MemoryBudget(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /** What is held now, over all accounts. */
    public synchronized long used() {
        return used;
    }

    /** An account that holds nothing yet and belongs to callers without a credential. */
    public Account open() {
        return new Account();
    }

    private synchronized boolean take(Optional<TenantId> owner, long held, long more) throws InterruptedException {
        long end = System.nanoTime() + LONGEST_WAIT.toNanos();
        long left = owner.isPresent() ? LONGEST_WAIT.toMillis() : 0;
        while (!fits(owner, held, more) && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
        boolean fits = fits(owner, held, more);
        if (fits) {
            add(owner, more);
        }
        return fits;
    }

    private boolean fits(Optional<TenantId> owner, long held, long more) {
        boolean small = held + more <= SMALL_BYTES;
        long capacity = small ? bytes : bytes - bytes / PART_FOR_SMALL;
        long usedByOwner = usedBy.getOrDefault(owner, 0L) + more;
        return usedByOwner <= capacity - used - more && (owner.isPresent() || usedByOwner <= bytes / PART_FOR_UNKNOWN);
    }

    private synchronized void add(Optional<TenantId> owner, long more) {
        used += more;
        usedBy.merge(owner, more, Long::sum);
        usedBy.remove(owner, 0L);
        if (more < 0) {
            notifyAll();
        }
    }

    private synchronized void move(Optional<TenantId> from, Optional<TenantId> to, long held) {
        add(from, -held);
        add(to, held);
    }

    /** What one request holds, from its body's first byte until its answer was written. Used by one thread at a time. */
    public final class Account implements AutoCloseable {

        private Optional<TenantId> owner = Optional.empty();
        private long held;

        private Account() {}

        /** The tenant that answers for what the account holds. */
        public void belongsTo(TenantId tenant) {
            if (!owner.equals(Optional.of(tenant))) {
                move(owner, Optional.of(tenant), held);
                owner = Optional.of(tenant);
            }
        }

        /**
         * Holds this much more, and waits a moment for it where the owner is known.
         *
         * @throws Refusal when the owner's share or the whole budget does not have it
         */
        public void charge(long more) {
            if (more > 0 && !takes(more)) {
                throw new Refusal(
                        Problem.of(ProblemCode.OVERLOADED, "Requests and answers in flight take too much memory.")
                                .after(Duration.ofSeconds(1)));
            }
            held += Math.max(0, more);
        }

        private boolean takes(long more) {
            try {
                return take(owner, held, more);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /**
         * Holds an answer of this length and nothing else from now on.
         *
         * @throws Refusal when the answer is neither small nor within what was charged for it, and the budget does not have the rest
         */
        public void answers(long length) {
            if (length > held && length > SMALL_ANSWER_BYTES) {
                charge(length - held);
            } else {
                set(length);
            }
        }

        /** Holds this much from now on, whether or not the budget has it: it is there already. */
        public void set(long now) {
            add(owner, now - held);
            held = now;
        }

        public long held() {
            return held;
        }

        @Override
        public void close() {
            set(0);
        }
    }
}
