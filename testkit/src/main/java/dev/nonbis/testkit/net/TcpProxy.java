package dev.nonbis.testkit.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Passes bytes between clients and one target, until it is told otherwise.
 *
 * <pre>
 *   passing ──loseAnswers──▶ what clients send arrives, what the target answers does not
 *   passing ──refuse───────▶ open connections are cut, new ones too
 *   either  ──pass─────────▶ passing; connections that lost an answer are cut, because their stream has a hole
 * </pre>
 *
 * <p>While it passes, {@link #cutAtNext} makes it cut one connection between a request and its answer.
 */
public final class TcpProxy implements AutoCloseable {

    private enum Mode {
        PASSING,
        LOSING_ANSWERS,
        REFUSING
    }

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Cut> due = new AtomicReference<>();
    private volatile Mode mode = Mode.PASSING;

    private volatile Optional<Wording> wording = Optional.empty();

    /** What the target says, and what its clients hear instead, which is as long. */
    private record Wording(byte[] said, byte[] heard) {}

    /** A cut that is due: at which bytes, and who waits for it. */
    private record Cut(byte[] mark, CountDownLatch done) {}

    private TcpProxy(InetSocketAddress target, ServerSocket listener) {
        this.target = target;
        this.listener = listener;
    }

    /** Listens on a free loopback port when it returns. */
    public static TcpProxy to(int port) {
        try {
            var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            var proxy = new TcpProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), listener);
            Thread.ofVirtual().start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** From now on the target hears its clients, and they do not hear it. */
    public void loseAnswers() {
        mode = Mode.LOSING_ANSWERS;
    }

    /** Cuts everybody off and lets nobody in. */
    public void refuse() {
        mode = Mode.REFUSING;
        cut();
    }

    /** Cuts open connections; new ones are welcome as far as the mode goes. */
    public void cut() {
        open.forEach(TcpProxy::close);
    }

    /** All is well again. */
    public void pass() {
        boolean hasHoles = mode == Mode.LOSING_ANSWERS;
        if (hasHoles) {
            cut();
        }
        mode = Mode.PASSING;
    }

    /**
     * Cuts the next connection on which this text passes. If the client says it, the target hears it, and its answer is lost; if the target
     * says it, the client does not hear it. Either way the target has done what it was asked for.
     *
     * @return open until it has happened
     */
    public CountDownLatch cutAtNext(String mark) {
        var done = new CountDownLatch(1);
        due.set(new Cut(mark.getBytes(StandardCharsets.ISO_8859_1), done));
        return done;
    }

    /** From now on clients hear another text for this one, of the same length. */
    public void reword(String said, String heard) {
        wording = Optional.of(
                new Wording(said.getBytes(StandardCharsets.ISO_8859_1), heard.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Nothing is cut that was not cut by now. */
    public void cutNothing() {
        due.set(null);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            } catch (IOException e) {
                // The listener was closed, or the target is away: the client finds its connection closed.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        open.add(client);
        if (mode == Mode.REFUSING) {
            forget(client);
            return;
        }
        var server = new Socket();
        open.add(server);
        try {
            server.connect(target);
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
        } catch (IOException e) {
            forget(client);
            forget(server);
            throw e;
        }
        var isDoomed = new AtomicBoolean();
        Thread.ofVirtual().start(() -> copy(client, server, false, isDoomed));
        Thread.ofVirtual().start(() -> copy(server, client, true, isDoomed));
    }

    private void copy(Socket from, Socket to, boolean answers, AtomicBoolean isDoomed) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] bytes = new byte[16 << 10];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                if (takesDueCut(bytes, n)) {
                    isDoomed.set(true);
                }
                if (answers && isDoomed.get()) {
                    return;
                }
                if (answers) {
                    reword(bytes, n);
                }
                if (!answers || mode != Mode.LOSING_ANSWERS) {
                    out.write(bytes, 0, n);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One side is gone; the other one follows below.
        } finally {
            forget(from);
            forget(to);
        }
    }

    // Who sends a mark sends it in one piece: it stands in a short message, or at the head of a long one.
    private boolean takesDueCut(byte[] bytes, int length) {
        var cut = due.get();
        if (cut == null || find(bytes, length, cut.mark) < 0 || !due.compareAndSet(cut, null)) {
            return false;
        }
        cut.done.countDown();
        return true;
    }

    private void reword(byte[] bytes, int length) {
        wording.ifPresent(words -> {
            for (int at = find(bytes, length, words.said); at >= 0; at = find(bytes, length, words.said)) {
                System.arraycopy(words.heard, 0, bytes, at, words.heard.length);
            }
        });
    }

    /** Where the mark stands, or a negative number. */
    private static int find(byte[] bytes, int length, byte[] mark) {
        for (int at = 0; at + mark.length <= length; at++) {
            if (Arrays.equals(bytes, at, at + mark.length, mark, 0, mark.length)) {
                return at;
            }
        }
        return -1;
    }

    private void forget(Socket socket) {
        open.remove(socket);
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
