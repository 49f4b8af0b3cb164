package dev.nonbis.server.api;

import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.operation.PollWork.Delivery;
import dev.nonbis.core.operation.PollWork.Wanted;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Lets workers wait for work: each looks when it comes, when a message came that it may take, and now and then in case that one came back
 * or that another server has some.
 */
public final class LongPoll implements AutoCloseable {

    static final Duration LONGEST = Duration.ofSeconds(30);

    private static final Duration LOOK_ANYWAY = Duration.ofSeconds(1);
    // More than these are answered at once: a waiting worker costs little, but not nothing.
    private static final int MAX_WAITING = 5000;

    private final PollWork work;
    private final Semaphore seats = new Semaphore(MAX_WAITING);
    private final WaitingWorkers waiters = new WaitingWorkers();
    private final WorkersSeen workers = new WorkersSeen();

    public LongPoll(PollWork work) {
        this.work = work;
    }

    /** Who has asked. */
    public WorkersSeen workers() {
        return workers;
    }

    List<Delivery> poll(Request request, Wanted wanted, Duration wait) {
        var found = look(request, wanted);
        if (!found.isEmpty() || wait.isZero() || !seats.tryAcquire()) {
            return found;
        }
        try {
            return await(request, wanted, System.nanoTime() + wait.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return found;
        } finally {
            seats.release();
        }
    }

    // In line before the look, so that no message can come unheard between the two.
    private List<Delivery> await(Request request, Wanted wanted, long end) throws InterruptedException {
        List<Delivery> found = List.of();
        long left = end - System.nanoTime();
        while (found.isEmpty() && left > 0) {
            try (var place = waiters.join(wanted)) {
                found = look(request, wanted);
                if (found.isEmpty() && !place.await(Math.min(left, LOOK_ANYWAY.toNanos()))) {
                    return found;
                }
            }
            left = end - System.nanoTime();
        }
        return found;
    }

    // A request that waits holds no memory for an answer.
    private List<Delivery> look(Request request, Wanted wanted) {
        request.charge(Route.AnswerSize.WORK.bytes());
        var found = work.poll(wanted);
        if (found.isEmpty()) {
            request.release(Route.AnswerSize.WORK.bytes());
        }
        return found;
    }

    /** These messages came. */
    public void news(List<Message> messages) {
        messages.forEach(message -> news(new DepthKey(message.tenant(), message.subject()), 1));
    }

    /** This many messages may have come. */
    public void news(DepthKey queue, long messages) {
        waiters.wake(queue, messages);
    }

    /** Whoever waits is answered now. */
    @Override
    public void close() {
        waiters.close();
    }

    /** How many workers wait. */
    public int waiting() {
        return MAX_WAITING - seats.availablePermits();
    }
}
