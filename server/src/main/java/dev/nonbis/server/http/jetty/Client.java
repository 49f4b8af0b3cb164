package dev.nonbis.server.http.jetty;

import dev.nonbis.core.identity.TenantId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * One connection, which knows what the server waits for on it.
 *
 * <pre>
 *   IDLE --first byte--> HEAD --request--> BUSY --last answer written--> IDLE
 *   any but BUSY --too late, or another needs the place--> CUT            BUSY --answer that ends the connection--> CLOSING
 * </pre>
 *
 * <p>With TLS a connection begins in HEAD, so that the handshake and the first headers share one deadline. With HTTP/2 it is BUSY while any
 * of its requests is. A request is either taken or cut off, never both.
 */
final class Client extends SocketChannelEndPoint {

    enum Phase {
        IDLE,
        HEAD,
        BUSY,
        CLOSING,
        CUT
    }

    /** How long a client may take to notice that its connection has ended. */
    private static final Duration CLOSE_LINGER = Duration.ofSeconds(2);

    private static final int MOST_PEEKED_BYTES = 4096;

    private final Clients clients;
    private final InetAddress address;
    private final long openedNanos = System.nanoTime();
    private Phase phase;
    private volatile long sinceNanos = System.nanoTime();
    private volatile boolean idle;
    private int requests;
    private boolean multiplexed;
    private volatile @Nullable TenantId tenant;
    private @Nullable ByteBuffer peeked;

    Client(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler, Clients clients)
            throws IOException {
        super(channel, selector, key, scheduler);
        this.clients = clients;
        this.address = ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
        this.phase = clients.tls() ? Phase.HEAD : Phase.IDLE;
        this.idle = phase == Phase.IDLE;
        // Deadlines are ours: one look at all connections costs less than a timer for each, and no trickle of bytes
        // extends them.
        setIdleTimeout(0);
    }

    static Client of(Request request) {
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        while (endPoint instanceof EndPoint.Wrapper wrapper) {
            endPoint = wrapper.unwrap();
        }
        return (Client) endPoint;
    }

    boolean isOlderThan(Duration age) {
        return System.nanoTime() - openedNanos > age.toNanos();
    }

    InetAddress address() {
        return address;
    }

    @Nullable
    TenantId tenant() {
        return tenant;
    }

    void tenant(TenantId known) {
        tenant = known;
    }

    private void enter(Phase next) {
        phase = next;
        sinceNanos = System.nanoTime();
        idle = next == Phase.IDLE;
    }

    /** A request's headers are here; false when the connection was cut off before. */
    synchronized boolean begins(boolean shared) {
        if (phase == Phase.CUT || phase == Phase.CLOSING) {
            return false;
        }
        multiplexed = shared;
        requests++;
        enter(Phase.BUSY);
        return true;
    }

    /** A request was answered. */
    synchronized void ended() {
        requests--;
        if (phase == Phase.BUSY && requests == 0) {
            enter(isOutputShutdown() ? Phase.CLOSING : Phase.IDLE);
        }
    }

    /** The answer that is written next is the last one. */
    synchronized void ends() {
        if (phase != Phase.CUT && !multiplexed) {
            enter(Phase.CLOSING);
        }
    }

    /** Looks whether the client is late, and cuts it off. */
    void check(long nowNanos, HttpLimits limits, LastAnswer last) {
        Phase late;
        synchronized (this) {
            var allowed = switch (phase) {
                case IDLE -> limits.idleTimeout();
                case HEAD -> limits.headerDeadline();
                case CLOSING, CUT -> CLOSE_LINGER;
                case BUSY -> null;
            };
            if (allowed == null || nowNanos - sinceNanos <= allowed.toNanos()) {
                return;
            }
            late = phase;
            enter(Phase.CUT);
        }
        switch (late) {
            case HEAD -> sayAndEnd(last.bytes());
            case IDLE -> endQuietly();
            default -> close(new TimeoutException("the connection did not end"));
        }
    }

    /** Bytes of a last answer, made when they are needed. */
    @FunctionalInterface
    interface LastAnswer {
        ByteBuffer bytes();
    }

    /** Closes the connection unless it is busy; whether it did. Its descriptor is free at once. */
    boolean cutUnlessBusy() {
        synchronized (this) {
            if (phase == Phase.BUSY) {
                return false;
            }
            enter(Phase.CUT);
        }
        close();
        return true;
    }

    /** Ends the connection if it waits for a next request. */
    void cutIdle() {
        synchronized (this) {
            if (phase != Phase.IDLE) {
                return;
            }
            enter(Phase.CUT);
        }
        endQuietly();
    }

    /** No more bytes from us; what the client still sends is thrown away until it ends as well, so that nothing is reset. */
    private void endQuietly() {
        if (protocol() instanceof HTTP2Connection shared) {
            shared.getSession().close(ErrorCode.NO_ERROR.code, "", Callback.NOOP);
        }
        shutdownOutput();
    }

    /** The last answer on a connection that was late with its headers. In the middle of a handshake there is none. */
    private void sayAndEnd(ByteBuffer answer) {
        var plain = plain();
        if (plain == null || protocol() instanceof HTTP2Connection) {
            endQuietly();
            return;
        }
        try {
            plain.write(Callback.from(plain::shutdownOutput, this::close), answer);
        } catch (RuntimeException busyWriting) {
            close(busyWriting);
        }
    }

    /** Where bytes are not encrypted yet; none while a handshake is under way. */
    private @Nullable EndPoint plain() {
        if (!(getConnection() instanceof SslConnection tls)) {
            return this;
        }
        var engine = tls.getSSLEngine();
        boolean done = engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
                && !engine.getSession().getProtocol().equals("NONE");
        return done ? tls.getSslEndPoint() : null;
    }

    private org.eclipse.jetty.io.@Nullable Connection protocol() {
        return getConnection() instanceof SslConnection tls
                ? tls.getSslEndPoint().getConnection()
                : getConnection();
    }

    /** No new request is welcome: HTTP/2 has a frame that says so, HTTP/1.1 the header of the next answer. */
    void drain() {
        if (protocol() instanceof HTTP2Connection shared) {
            var _ = shared.getSession().shutdown();
        }
    }

    @Override
    public int fill(ByteBuffer buffer) throws IOException {
        int filled = fillPeeked(buffer);
        if (filled == 0) {
            filled = super.fill(buffer);
        }
        if (filled > 0 && idle) {
            begun();
        }
        return filled;
    }

    private synchronized void begun() {
        if (phase == Phase.IDLE && !multiplexed) {
            enter(Phase.HEAD);
        }
    }

    private int fillPeeked(ByteBuffer buffer) {
        var waiting = peeked;
        if (waiting == null) {
            return 0;
        }
        int filled = BufferUtil.append(buffer, waiting);
        if (!waiting.hasRemaining()) {
            peeked = null;
        }
        return filled;
    }

    /**
     * Whether the client has left. Nothing is read from a connection while its request is handled, so this looks; bytes that it finds are
     * kept for the next read. To be called by the request's own thread, once the body is read.
     */
    boolean hasLeft() throws IOException {
        if (multiplexed || !isOpen() || isInputShutdown()) {
            return !isOpen() || isInputShutdown();
        }
        var waiting = peeked;
        if (waiting == null) {
            waiting = BufferUtil.allocate(MOST_PEEKED_BYTES);
        }
        boolean left = BufferUtil.space(waiting) > 0 && super.fill(waiting) < 0;
        peeked = waiting.hasRemaining() ? waiting : null;
        return left;
    }

    @Override
    public void onClose(@Nullable Throwable cause) {
        clients.closed(this);
        super.onClose(cause);
    }
}
