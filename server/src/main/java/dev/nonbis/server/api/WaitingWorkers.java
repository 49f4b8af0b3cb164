package dev.nonbis.server.api;

import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.operation.PollWork.Wanted;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Workers in line, each for the queues that it wants. A message wakes one of them, the one that has waited longest. */
final class WaitingWorkers implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<DepthKey, LinkedHashSet<Place>> lines = new HashMap<>();
    private boolean closed;

    /** Stands in line until it is closed or woken. */
    Place join(Wanted wanted) {
        var place = new Place(wanted.topics().stream()
                .map(topic -> new DepthKey(wanted.tenant(), topic))
                .toList());
        lock.lock();
        try {
            for (var queue : place.queues) {
                lines.computeIfAbsent(queue, q -> new LinkedHashSet<>()).add(place);
            }
        } finally {
            lock.unlock();
        }
        return place;
    }

    /** Wakes as many as there are messages. */
    void wake(DepthKey queue, long messages) {
        lock.lock();
        try {
            for (long i = 0; i < messages; i++) {
                var line = lines.get(queue);
                if (line == null) {
                    return;
                }
                var place = line.getFirst();
                leave(place);
                place.wokenFor = queue;
                place.news.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Wakes everybody, now and later. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            lines.values().forEach(line -> line.forEach(place -> place.news.signal()));
        } finally {
            lock.unlock();
        }
    }

    int inLine(DepthKey queue) {
        lock.lock();
        try {
            var line = lines.get(queue);
            return line == null ? 0 : line.size();
        } finally {
            lock.unlock();
        }
    }

    private void leave(Place place) {
        for (var queue : place.queues) {
            var line = lines.get(queue);
            if (line != null && line.remove(place) && line.isEmpty()) {
                lines.remove(queue);
            }
        }
    }

    /** One worker's place in its lines. */
    final class Place implements AutoCloseable {

        private final List<DepthKey> queues;
        private final Condition news = lock.newCondition();
        private @Nullable DepthKey wokenFor;

        private Place(List<DepthKey> queues) {
            this.queues = queues;
        }

        /** Waits until it is woken or this time has passed; false when there is no point in looking again. */
        boolean await(long nanos) throws InterruptedException {
            lock.lock();
            try {
                long left = nanos;
                while (wokenFor == null && !closed && left > 0) {
                    left = news.awaitNanos(left);
                }
                wokenFor = null;
                return !closed;
            } finally {
                lock.unlock();
            }
        }

        /** Leaves. Whoever was woken and does not look passes that on. */
        @Override
        public void close() {
            lock.lock();
            try {
                leave(this);
                if (wokenFor != null) {
                    wake(wokenFor, 1);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
