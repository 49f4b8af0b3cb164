package dev.nonbis.server.policy.cel;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.run.EvaluationsOverloaded;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Runs evaluations that may take long on a few threads of their own. Each tenant has a queue, and the queues are served in turn. */
public final class EvaluationThreads implements AutoCloseable {

    /** Half of the processors, so that the other half is there for everything else. */
    static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    /** The longest queue of a tenant. A budget is about 10 ms, so the last one waits for about a second. */
    static final int MAX_WAITING = 100;

    /** How long a caller waits for its turn and its result. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("expressions-", 0).factory());
    private final SequencedMap<TenantId, Queue<FutureTask<?>>> queues = new LinkedHashMap<>();

    /** The result of the work, or {@link EvaluationsOverloaded} when it does not get its turn. */
    <T> T call(TenantId tenant, Supplier<T> work) {
        var task = new FutureTask<>(work::get);
        enqueue(tenant, task);
        try {
            threads.execute(() -> next().run());
            return task.get(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            task.cancel(false);
            throw new EvaluationsOverloaded("an evaluation of " + tenant + " waited longer than " + MAX_WAIT);
        } catch (RejectedExecutionException e) {
            throw new EvaluationsOverloaded("the server is stopping");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            task.cancel(false);
            throw new EvaluationsOverloaded("the caller was interrupted");
        }
    }

    private synchronized void enqueue(TenantId tenant, FutureTask<?> task) {
        var queue = queues.computeIfAbsent(tenant, name -> new ArrayDeque<>());
        if (queue.size() >= MAX_WAITING) {
            throw new EvaluationsOverloaded(MAX_WAITING + " evaluations of " + tenant + " are waiting already");
        }
        queue.add(task);
    }

    // One call of this for each task in the queues. A tenant whose turn it was goes to the end.
    private synchronized FutureTask<?> next() {
        var first = queues.pollFirstEntry();
        var task = first.getValue().remove();
        if (!first.getValue().isEmpty()) {
            queues.put(first.getKey(), first.getValue());
        }
        return task;
    }

    synchronized int waiting(TenantId tenant) {
        var queue = queues.get(tenant);
        return queue == null ? 0 : queue.size();
    }

    int running() {
        return threads.getActiveCount();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
