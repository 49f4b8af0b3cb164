package dev.nonbis.server.http.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.spi.ServerConnection;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection, which knows for how long it has been waiting for which part of a request.
 *
 * <pre>
 *   REQUEST --first byte--> HEADERS --last header--> BODY --answered--> REQUEST
 * </pre>
 *
 * <p>The connection's own thread moves it along. {@link Watch} may end a wait from outside; whoever changes {@code blocked}
 * first wins, so a request is either read or cut off, never both.
 */
final class WatchedConnection implements ServerConnection {

    private static final Wait CUT = new Wait(Wait.For.CLOSE);
    private static final int MAX_DISCARDED_BYTES = 8 << 20;
    private static final int BODY_TOO_LARGE = 413;

    private final HelidonSocket socket;
    private final Context context;
    private final ServerConnection delegate;
    private final Runnable ended;
    private final AtomicReference<@Nullable Wait> blocked = new AtomicReference<>();

    /** The wait that the next read belongs to; null between an answer and the next read. Used by the connection's thread. */
    private @Nullable Wait current = new Wait(Wait.For.REQUEST);

    private boolean closeAsked;
    private boolean lastAnswer;
    private boolean bodyLeftUnread;

    WatchedConnection(
            ConnectionContext origin,
            Function<ConnectionContext, ServerConnection> http,
            Consumer<WatchedConnection> ended) {
        this.socket = origin.serverSocket();
        this.context = new Context(origin, this, new ForgetfulReader(this::read));
        this.delegate = http.apply(context);
        this.ended = () -> ended.accept(this);
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        try {
            delegate.handle(limit);
        } finally {
            if (bodyLeftUnread) {
                discard();
            }
            ended.run();
        }
    }

    /** Waiting is watched here, so that Helidon sees no idle connection. */
    @Override
    public Duration idleTime() {
        return Duration.ZERO;
    }

    /** A graceful end is the answer's {@code Connection: close}; only force is passed on. */
    @Override
    public void close(boolean interrupt) {
        if (interrupt) {
            delegate.close(true);
        }
    }

    /** What the client is late with, if this wait was ended just now. */
    Optional<Wait.For> cut(Predicate<Wait> overdue) {
        var wait = blocked.get();
        boolean ended = wait != null && wait != CUT && overdue.test(wait) && blocked.compareAndSet(wait, CUT);
        return ended && wait != null ? Optional.of(wait.what()) : Optional.empty();
    }

    void writeLast(byte[] answer) {
        try {
            context.dataWriter().writeNow(BufferData.create(answer));
        } catch (RuntimeException gone) {
            // The client is late and does not read either; the connection is closed next.
        }
    }

    private byte @Nullable [] read() {
        if (lastAnswer) {
            throw new CloseConnectionException("the last answer was sent");
        }
        var wait = current;
        if (wait == null) {
            // Bytes of a pipelined request may be here already, and then its headers are what is missing.
            wait = new Wait(context.dataReader().available() > 0 ? Wait.For.HEADERS : Wait.For.REQUEST);
            current = wait;
        }
        var bytes = blockingRead(wait);
        if (wait.what() == Wait.For.REQUEST) {
            current = new Wait(Wait.For.HEADERS);
        }
        return bytes;
    }

    private byte @Nullable [] blockingRead(Wait wait) {
        blocked.set(wait);
        byte[] bytes;
        try {
            bytes = socket.get();
        } catch (UncheckedIOException e) {
            throw new CloseConnectionException("the connection is gone", e);
        }
        if (!blocked.compareAndSet(wait, null)) {
            throw new CloseConnectionException("the client was too slow");
        }
        return bytes;
    }

    /** Closing a socket with unread bytes would reset it and could take the answer away from the client. */
    private void discard() {
        try {
            var wait = new Wait(Wait.For.CLOSE);
            int total = 0;
            for (var bytes = blockingRead(wait); bytes != null; bytes = blockingRead(wait)) {
                total += bytes.length;
                if (total > MAX_DISCARDED_BYTES) {
                    return;
                }
            }
        } catch (CloseConnectionException enough) {
            // Time is up or the client is gone.
        }
    }

    /** Hears from Helidon how far a request is. */
    static final class Progress implements Http1ConnectionListener {

        @Override
        public void prologue(ConnectionContext ctx, HttpPrologue prologue) {
            if (of(ctx).lastAnswer) {
                throw new CloseConnectionException("a request after the last answer");
            }
        }

        @Override
        public void headers(ConnectionContext ctx, Headers headers) {
            var connection = of(ctx);
            connection.current = new Wait(Wait.For.BODY);
            connection.closeAsked =
                    headers.contains(HeaderNames.CONNECTION) && headers.containsToken(HeaderValues.CONNECTION_CLOSE);
        }

        private static WatchedConnection of(ConnectionContext ctx) {
            return ((Context) ctx).connection;
        }
    }

    /** Hears from Helidon what is answered. */
    static final class Answers implements Http1ConnectionListener {

        @Override
        public void status(ConnectionContext ctx, Status status) {
            if (status.code() == BODY_TOO_LARGE) {
                Progress.of(ctx).bodyLeftUnread = true;
            }
        }

        @Override
        public void headers(ConnectionContext ctx, Headers headers) {
            var connection = Progress.of(ctx);
            connection.current = null;
            connection.lastAnswer = connection.closeAsked || headers.contains(HeaderValues.CONNECTION_CLOSE);
        }
    }
}
