package dev.nonbis.server;

import dev.nonbis.core.store.CommitListener;
import dev.nonbis.server.metrics.Metrics;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Counts commits and tells whoever waits for news in the store. */
final class Commits implements CommitListener {

    private final Metrics metrics;
    private final List<Runnable> next = new CopyOnWriteArrayList<>();

    Commits(Metrics metrics) {
        this.metrics = metrics;
    }

    void then(Runnable action) {
        next.add(action);
    }

    @Override
    public void committed(int operations, long nanos) {
        metrics.committed(operations, nanos);
        next.forEach(Runnable::run);
    }
}
