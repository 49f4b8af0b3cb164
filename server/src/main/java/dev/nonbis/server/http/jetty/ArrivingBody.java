package dev.nonbis.server.http.jetty;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.BodyCost;
import dev.nonbis.server.http.MemoryBudget;
import dev.nonbis.server.http.Refusal;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;

/** A request's body, which is read when somebody asks for it: piece by piece, each charged when it arrives, within a deadline. */
final class ArrivingBody {

    private static final byte[] NONE = {};
    private static final int FIRST_BYTES = 8 << 10;

    /** What a client may still send that was answered before its body was read, and for how long. */
    private static final int MOST_DISCARDED_BYTES = 8 << 20;

    /** What is read of it so that its connection can stay. */
    private static final int MOST_SKIPPED_BYTES = 64 << 10;

    private static final Duration DISCARDING = Duration.ofSeconds(2);

    private final Request request;
    private final HttpLimits limits;
    private final MemoryBudget.Account account;
    private final BodyCost cost = new BodyCost();
    private final long startNanos = System.nanoTime();
    private byte[] bytes = NONE;
    private int length;
    private final Semaphore available = new Semaphore(0);
    private boolean demanded;
    private boolean ended;

    ArrivingBody(Request request, HttpLimits limits, MemoryBudget.Account account) {
        this.request = request;
        this.limits = limits;
        this.account = account;
    }

    byte[] read(int maxBytes) {
        int most = Math.min(maxBytes, limits.maxBodyBytes());
        if (request.getLength() > most) {
            throw tooLarge(most);
        }
        while (!ended) {
            var chunk = request.read();
            if (chunk == null) {
                await(allowedNanos());
            } else {
                take(chunk, most);
            }
        }
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    private void take(Content.Chunk chunk, int most) {
        try {
            if (Content.Chunk.isFailure(chunk)) {
                ended = true;
                throw new Refusal(Problem.of(ProblemCode.MALFORMED_REQUEST, "The body cannot be read to its end."));
            }
            int more = chunk.remaining();
            if (more > most - length) {
                throw tooLarge(most);
            }
            if (more > 0) {
                account.charge(cost.of(chunk.getByteBuffer()));
                reserve(length + more, most);
                chunk.get(bytes, length, more);
                length += more;
            }
            ended = chunk.isLast();
        } finally {
            chunk.release();
        }
    }

    private void reserve(int needed, int most) {
        if (needed > bytes.length) {
            int announced = (int) Math.max(0, request.getLength());
            int size = announced > 0 && announced <= FIRST_BYTES ? announced : Math.max(FIRST_BYTES, 2 * needed);
            bytes = Arrays.copyOf(bytes, Math.max(needed, Math.min(size, most)));
        }
    }

    private long allowedNanos() {
        var slowest = limits.longest(length);
        var allowed = slowest.compareTo(limits.bodyDeadline()) < 0 ? slowest : limits.bodyDeadline();
        return allowed.toNanos() - (System.nanoTime() - startNanos);
    }

    private void await(long nanos) {
        if (!arrives(nanos)) {
            throw new Refusal(Problem.of(ProblemCode.REQUEST_TIMEOUT, "The body did not arrive in time."));
        }
    }

    // Asking for more is what sends a client the 100 that it may be waiting for.
    private boolean arrives(long nanos) {
        if (!demanded) {
            request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, available::release));
        }
        try {
            demanded = !available.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            return !demanded;
        } catch (InterruptedException e) {
            demanded = true;
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether nothing of the body is left to read; a little that is here already is thrown away. */
    boolean isOver() {
        return discard(0, MOST_SKIPPED_BYTES);
    }

    /**
     * Throws away what the client still sends of a body that was answered unread: a connection that is closed with unread bytes is reset,
     * and could take the answer with it.
     */
    void discard() {
        discard(DISCARDING.toNanos(), MOST_DISCARDED_BYTES);
    }

    private boolean discard(long nanos, int most) {
        long end = System.nanoTime() + nanos;
        int left = most;
        while (!ended && left > 0) {
            var chunk = request.read();
            if (chunk != null) {
                left -= chunk.remaining();
                ended = chunk.isLast() || Content.Chunk.isFailure(chunk);
                chunk.release();
            } else if (nanos == 0 || !arrives(end - System.nanoTime())) {
                return false;
            }
        }
        return ended;
    }

    private static Refusal tooLarge(int most) {
        return new Refusal(
                Problem.of(ProblemCode.BODY_TOO_LARGE, "The body is larger than the " + most + " bytes taken here."));
    }
}
