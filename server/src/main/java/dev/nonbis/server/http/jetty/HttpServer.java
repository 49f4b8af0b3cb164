package dev.nonbis.server.http.jetty;

import dev.nonbis.server.http.MemoryBudget;
import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** One listener with a router behind it. */
public final class HttpServer {

    private static final Duration DRAIN_TICK = Duration.ofMillis(20);

    /** How long a handler that was interrupted has to give up. */
    private static final Duration LAST_WAIT = Duration.ofMillis(500);

    /** Selectors, the acceptor, and a few for what Jetty does besides; requests are handled on virtual threads. */
    private static final int PLATFORM_THREADS = 16;

    private static final int LARGEST_POOLED_BYTES = 64 << 10;
    private static final long POOLED_HEAP_BYTES = 4L << 20;
    private static final long POOLED_DIRECT_BYTES = 16L << 20;

    private final Server server;
    private final HttpListener listener;
    private final Exchange exchange;
    private final Clients clients;
    private final HttpLimits limits;

    private HttpServer(Server server, HttpListener listener, Exchange exchange, Clients clients, HttpLimits limits) {
        this.server = server;
        this.listener = listener;
        this.exchange = exchange;
        this.clients = clients;
        this.limits = limits;
    }

    /** Listens when it returns, with a memory budget of its own. */
    public static HttpServer start(HttpConfig config, Router router, RequestIds ids) {
        return start(config, router, ids, MemoryBudget.ofHeap());
    }

    /** Listens when it returns. */
    public static HttpServer start(HttpConfig config, Router router, RequestIds ids, MemoryBudget budget) {
        var limits = config.limits();
        var problems = new TransportProblems(ids);
        var clients = new Clients(limits.connections(), config.tls().isPresent());
        var exchange = new Exchange(router, ids, limits, budget, clients);
        var server = new Server(
                threads(),
                null,
                new ArrayByteBufferPool(
                        0, -1, LARGEST_POOLED_BYTES, Integer.MAX_VALUE, POOLED_HEAP_BYTES, POOLED_DIRECT_BYTES));
        server.setHandler(exchange);
        server.setErrorHandler(problems);
        var listener = new HttpListener(server, config, clients, problems);
        server.addConnector(listener);
        try {
            listener.open();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot listen on " + config.host() + ":" + config.port() + ": " + e.getMessage(), e);
        }
        try {
            server.start();
        } catch (Exception e) {
            listener.close();
            throw new IllegalStateException("cannot listen on " + config.host() + ":" + config.port(), e);
        }
        return new HttpServer(server, listener, exchange, clients, limits);
    }

    private static QueuedThreadPool threads() {
        var threads = new QueuedThreadPool(PLATFORM_THREADS, 1);
        threads.setName("nonbis-http");
        threads.setDaemon(true);
        threads.setReservedThreads(0);
        threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        return threads;
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Why the listener takes no connections, if it does not. */
    public Optional<String> trouble() {
        return listener.trouble();
    }

    /**
     * Stops accepting, answers what is under way and what still arrives on open connections, each answer ending its connection,
     * and returns when all are closed; after {@code grace} the rest is cut off.
     */
    public void close(Duration grace) {
        exchange.drain();
        try {
            long startNanos = System.nanoTime();
            listener.stopAccepting();
            clients.all().forEach(Client::drain);
            var drained = Duration.ZERO;
            while (clients.size() > 0 && drained.compareTo(grace) < 0) {
                if (drained.compareTo(limits.drainLinger()) >= 0) {
                    clients.all().forEach(Client::cutIdle);
                }
                listener.tick();
                Thread.sleep(DRAIN_TICK);
                drained = Duration.ofNanos(System.nanoTime() - startNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            clients.all().forEach(Client::close);
            stop();
        }
    }

    private void stop() {
        try {
            server.setStopTimeout(LAST_WAIT.toMillis());
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the listener does not stop", e);
        }
    }
}
