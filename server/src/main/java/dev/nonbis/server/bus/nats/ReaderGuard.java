package dev.nonbis.server.bus.nats;

import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the reader of a connection, and says when it failed. The client library does not notice: such a connection would be open and deaf
 * until pings have been missed.
 */
final class ReaderGuard extends ThreadPoolExecutor {

    private static final int IDLE_SECONDS = 10;

    private final Consumer<Throwable> failed;

    ReaderGuard(String name, Consumer<Throwable> failed) {
        super(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        this.failed = failed;
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        super.afterExecute(task, thrown);
        if (task instanceof Future<?> reading && reading.state() == Future.State.FAILED) {
            failed.accept(reading.exceptionNow());
        }
    }
}
