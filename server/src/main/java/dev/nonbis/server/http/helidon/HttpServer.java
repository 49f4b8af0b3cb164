package dev.nonbis.server.http.helidon;

import dev.nonbis.server.http.RequestIds;
import dev.nonbis.server.http.Router;
import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.socket.SocketOptions;
import io.helidon.common.tls.Tls;
import io.helidon.webserver.ErrorHandling;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** One listener with a router behind it. */
public final class HttpServer {

    /** How long a handler that was interrupted has to give up. */
    private static final Duration LAST_WAIT = Duration.ofMillis(500);

    private static final Duration DRAIN_TICK = Duration.ofMillis(50);

    /** Past any drain we ask for; {@link #close} is what ends one. */
    private static final Duration HELIDON_GRACE = Duration.ofMinutes(10);

    private final WebServer server;
    private final Exchange exchange;
    private final Watch watch;
    private final HttpLimits limits;

    private HttpServer(WebServer server, Exchange exchange, Watch watch, HttpLimits limits) {
        this.limits = limits;
        this.server = server;
        this.exchange = exchange;
        this.watch = watch;
    }

    /** Listens when it returns. */
    public static HttpServer start(HttpConfig config, Router router, RequestIds ids) {
        var limits = config.limits();
        var exchange = new Exchange(router, ids, limits);
        var watch = new Watch(http1(limits), limits, ids);
        var server = WebServer.builder()
                .host(config.host())
                .port(config.port())
                .shutdownHook(false)
                .shutdownGracePeriod(HELIDON_GRACE)
                .featuresDiscoverServices(false)
                .protocolsDiscoverServices(false)
                .addConnectionSelector(watch)
                .maxPayloadSize(limits.maxBodyBytes())
                .maxTcpConnections(limits.maxConnections())
                .connectionOptions(socketOptions(config))
                .directHandlers(TransportProblems.handlers(ids))
                // Measured: plain sockets take a fifth less processor time for a request than Helidon's default here.
                .useNio(false)
                // Our own handler decides what to say; it is only told why.
                .errorHandling(ErrorHandling.builder().includeEntity(true).build())
                .routing(HttpRouting.builder().any(exchange));
        config.tls().ifPresent(files -> server.tls(tls(files)));
        return new HttpServer(listening(server.build(), config), exchange, watch, limits);
    }

    // Helidon logs that it cannot listen and goes on without.
    private static WebServer listening(WebServer server, HttpConfig config) {
        try (var probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(config.host(), config.port()));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot listen on " + config.host() + ":" + config.port() + ": " + e.getMessage(), e);
        }
        server.start();
        if (!server.isRunning() || server.port() <= 0) {
            server.stop();
            throw new IllegalStateException("cannot listen on " + config.host() + ":" + config.port());
        }
        return server;
    }

    private static Http1Config http1(HttpLimits limits) {
        return Http1Config.builder()
                .maxHeadersSize(limits.maxHeaderBytes())
                .maxPrologueLength(limits.maxHeaderBytes())
                .sendKeepAliveHeader(false)
                .addReceiveListener(new WatchedConnection.Progress())
                .addSendListener(new WatchedConnection.Answers())
                .build();
    }

    /** The watch sees a connection once its handshake is done; until then a timeout on each read has to do. */
    private static SocketOptions socketOptions(HttpConfig config) {
        var readTimeout = config.tls().isPresent() ? config.limits().idleTimeout() : Duration.ZERO;
        return SocketOptions.builder().readTimeout(readTimeout).tcpNoDelay(true).build();
    }

    private static Tls tls(HttpConfig.TlsFiles files) {
        var keys = Keys.builder()
                .pem(pem -> pem.certChain(Resource.create(files.certificateChain()))
                        .key(Resource.create(files.privateKey())))
                .build();
        return Tls.builder()
                .privateKey(keys)
                .privateKeyCertChain(keys)
                .addEnabledProtocol("TLSv1.3")
                .addEnabledProtocol("TLSv1.2")
                .build();
    }

    public int port() {
        return server.port();
    }

    /**
     * Stops accepting, answers what is under way and what still arrives on open connections, each answer ending its connection,
     * and returns when all are closed; after {@code grace} the rest is cut off.
     */
    public void close(Duration grace) {
        exchange.drain();
        var stopping = Thread.ofVirtual().start(server::stop);
        long startNanos = System.nanoTime();
        try {
            while (!stopping.join(DRAIN_TICK)) {
                var drained = Duration.ofNanos(System.nanoTime() - startNanos);
                if (drained.compareTo(grace) >= 0) {
                    watch.cutAll();
                    stopping.join(LAST_WAIT);
                    return;
                }
                if (drained.compareTo(limits.drainLinger()) >= 0) {
                    watch.cutIdle();
                }
            }
        } catch (InterruptedException e) {
            watch.cutAll();
            Thread.currentThread().interrupt();
        } finally {
            watch.close();
        }
    }
}
