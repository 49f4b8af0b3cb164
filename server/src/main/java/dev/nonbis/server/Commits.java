package dev.nonbis.server;

import dev.nonbis.core.store.CommitListener;
import dev.nonbis.server.metrics.Metrics;

/** Counts commits and tells whoever waits for news in the store. */
final class Commits implements CommitListener {

    private final Metrics metrics;
    private volatile Runnable next = () -> {};

    Commits(Metrics metrics) {
        this.metrics = metrics;
    }

    void then(Runnable action) {
        next = action;
    }

    @Override
    public void committed(int operations, long nanos) {
        metrics.committed(operations, nanos);
        next.run();
    }
}
