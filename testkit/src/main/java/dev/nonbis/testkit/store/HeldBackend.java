package dev.nonbis.testkit.store;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A back end whose next apply waits until it is let go, so that a test decides what gathers behind it. Stays open when closed. */
public final class HeldBackend implements Backend {

    private final Backend backend;
    private final AtomicInteger applied = new AtomicInteger();
    private volatile CountDownLatch arrived = new CountDownLatch(0);
    private volatile CountDownLatch released = new CountDownLatch(0);

    public HeldBackend(Backend backend) {
        this.backend = backend;
    }

    public void hold() {
        released = new CountDownLatch(1);
        arrived = new CountDownLatch(1);
    }

    public void awaitApply() throws InterruptedException {
        arrived.await();
    }

    public void release() {
        released.countDown();
    }

    /** How many write sets went through. */
    public int applied() {
        return applied.get();
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        return backend.fetch(rows);
    }

    @Override
    public void apply(List<Write> writes) {
        arrived.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody may interrupt the writer", e);
        }
        backend.apply(writes);
        applied.incrementAndGet();
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        return backend.read(block);
    }

    @Override
    public void close() {}
}
