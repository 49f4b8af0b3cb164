package dev.nonbis.core.store;

import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Blocks that wait, first come first served for each owner: while somebody is at work for an owner, the owner's other blocks wait, and
 * those of others pass.
 */
final class Turns {

    private final int maxWaiting;
    // In one turn; one block may have more all the same.
    private final int maxOwners;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Pending<?>> waiting = new ArrayDeque<>();
    private final Set<String> busy = new HashSet<>();
    private int working;
    private boolean closing;

    Turns(int maxWaiting, int maxOwners) {
        this.maxWaiting = maxWaiting;
        this.maxOwners = maxOwners;
    }

    /** Blocks to be worked on together, and their owners, who are busy until {@link #end}. */
    record Turn(List<Pending<?>> blocks, Set<String> owners) {}

    void add(Pending<?> pending) {
        lock.lock();
        try {
            if (closing) {
                throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
            }
            if (waiting.size() >= maxWaiting) {
                throw new StoreUnavailable(
                        Fate.DID_NOT_HAPPEN, Cause.OVERLOADED, maxWaiting + " operations are waiting already");
            }
            waiting.add(pending);
            // Whoever ends the turn of a busy owner looks for what has gathered for it.
            if (Collections.disjoint(pending.owners(), busy)) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** The next turn, once there is one; empty when all is done and nothing more will come. */
    Optional<Turn> next(int most) {
        lock.lock();
        try {
            while (true) {
                var turn = take(most);
                if (!turn.blocks().isEmpty()) {
                    busy.addAll(turn.owners());
                    working++;
                    if (turn.blocks().size() >= most || turn.owners().size() >= maxOwners) {
                        // Somebody else may take what was too much for one turn.
                        changed.signal();
                    }
                    return Optional.of(turn);
                }
                if (closing && waiting.isEmpty() && working == 0) {
                    changed.signalAll();
                    return Optional.empty();
                }
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Those that wait for nobody but these owners, who are busy on the caller's behalf. */
    List<Pending<?>> more(Set<String> owners, int most) {
        lock.lock();
        try {
            var taken = new ArrayList<Pending<?>>();
            var passed = new HashSet<String>();
            for (var all = waiting.iterator(); all.hasNext() && taken.size() < most; ) {
                var pending = all.next();
                if (!pending.owners().isEmpty()
                        && owners.containsAll(pending.owners())
                        && Collections.disjoint(pending.owners(), passed)) {
                    taken.add(pending);
                    all.remove();
                } else {
                    passed.addAll(pending.owners());
                }
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** The turn is over, and these are the owners that it still had. */
    void end(Collection<String> owners) {
        lock.lock();
        try {
            busy.removeAll(owners);
            working--;
            if (closing) {
                changed.signalAll();
            } else {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** One more works on a part of a turn. */
    void split() {
        lock.lock();
        try {
            working++;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // Whoever is passed over keeps those behind it waiting, so that an owner's blocks stay in order.
    private Turn take(int most) {
        var taken = new ArrayList<Pending<?>>();
        var owners = new HashSet<String>();
        var passed = new HashSet<>(busy);
        for (var all = waiting.iterator(); all.hasNext() && taken.size() < most; ) {
            var pending = all.next();
            if (fits(pending, taken, owners) && Collections.disjoint(pending.owners(), passed)) {
                taken.add(pending);
                owners.addAll(pending.owners());
                all.remove();
            } else {
                passed.addAll(pending.owners());
            }
        }
        return new Turn(taken, owners);
    }

    private boolean fits(Pending<?> pending, List<Pending<?>> taken, Set<String> owners) {
        if (taken.isEmpty()) {
            return true;
        }
        if (pending.owners().isEmpty() || owners.isEmpty()) {
            // Whoever does not say whose rows it touches would make the others run again.
            return false;
        }
        long more = pending.owners().stream()
                .filter(owner -> !owners.contains(owner))
                .count();
        return owners.size() + more <= maxOwners;
    }
}
