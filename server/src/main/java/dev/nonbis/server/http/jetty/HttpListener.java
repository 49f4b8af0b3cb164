package dev.nonbis.server.http.jetty;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.tls.PemFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The listening socket: accepts connections as long as there are places and file descriptors, and goes on as soon as there are again. */
final class HttpListener extends ServerConnector {

    private static final Logger LOG = System.getLogger(HttpListener.class.getName());
    private static final int SELECTORS = 1;
    private static final int BACKLOG = 1024;

    /** How often the acceptor and the selectors show that they are alive, and late clients are looked for. */
    private static final Duration TICK = Duration.ofMillis(100);

    private static final Duration DEAD = Duration.ofSeconds(10);
    private static final Duration BETWEEN_WARNINGS = Duration.ofSeconds(10);
    private static final Duration WITHOUT_DESCRIPTORS = Duration.ofMillis(50);

    private static final int STREAMS_PER_CONNECTION = 64;
    private static final int WINDOW_BYTES = 64 << 10;

    private final HttpLimits limits;
    private final Clients clients;
    private final TransportProblems problems;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean stopping;
    private volatile long acceptorSeen = System.nanoTime();
    private volatile long selectorsSeen = System.nanoTime();
    private long checked = System.nanoTime();
    private long warned = System.nanoTime() - BETWEEN_WARNINGS.toNanos();

    HttpListener(Server server, HttpConfig config, Clients clients, TransportProblems problems) {
        super(server, null, null, null, 1, SELECTORS, protocols(config));
        this.limits = config.limits();
        this.clients = clients;
        this.problems = problems;
        setHost(config.host());
        setPort(config.port());
        setAcceptQueueSize(BACKLOG);
        setIdleTimeout(0);
    }

    private static ConnectionFactory[] protocols(HttpConfig config) {
        var http = new HttpConfiguration();
        http.setHttpCompliance(HeadRules.HTTP);
        http.setUriCompliance(HeadRules.URI);
        http.setRequestHeaderSize(config.limits().maxHeaderBytes());
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setIdleTimeout(0);
        // A client may use any name of the server, as in HTTP without TLS.
        http.addCustomizer(new SecureRequestCustomizer(false));
        var one = new HttpConnectionFactory(http);
        return config.tls().map(files -> overTls(files, one)).orElseGet(() -> new ConnectionFactory[] {one});
    }

    private static ConnectionFactory[] overTls(HttpConfig.TlsFiles files, HttpConnectionFactory one) {
        var two = new HTTP2ServerConnectionFactory(one.getHttpConfiguration());
        two.setMaxConcurrentStreams(STREAMS_PER_CONNECTION);
        two.setInitialSessionRecvWindow(WINDOW_BYTES);
        two.setInitialStreamRecvWindow(WINDOW_BYTES);
        two.setStreamIdleTimeout(0);
        var alpn = new ALPNServerConnectionFactory(two.getProtocol(), one.getProtocol());
        alpn.setDefaultProtocol(one.getProtocol());
        var tls = new SslContextFactory.Server();
        tls.setKeyStore(keys(files));
        tls.setKeyStorePassword("");
        tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        return new ConnectionFactory[] {new SslConnectionFactory(tls, alpn.getProtocol()), alpn, two, one};
    }

    private static KeyStore keys(HttpConfig.TlsFiles files) {
        try {
            return PemFiles.keyStore(files.certificateChain(), files.privateKey());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the certificate or its key: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the certificate or its key is not valid: " + e.getMessage(), e);
        }
    }

    @Override
    public void accept(int acceptor) throws IOException {
        var channel = (ServerSocketChannel) getTransport();
        acceptorSeen = System.nanoTime();
        tick();
        // When the server stops, connections that the system has taken already are accepted too: closing would reset
        // them.
        channel.socket().setSoTimeout(stopping ? 1 : (int) TICK.toMillis());
        try {
            var accepted = channel.socket().accept().getChannel();
            accepted.configureBlocking(false);
            configure(accepted.socket());
            getSelectorManager().accept(accepted);
        } catch (SocketTimeoutException nobodyWaits) {
            if (stopping) {
                channel.close();
                stopped.countDown();
            }
        }
    }

    /** Looks for late clients, and asks the selectors whether they are alive. Called by one thread at a time. */
    void tick() {
        long now = System.nanoTime();
        if (now - checked >= TICK.toNanos()) {
            checked = now;
            getSelectorManager()
                    .getBeans(ManagedSelector.class)
                    .forEach(selector -> selector.submit(alive -> {
                        selectorsSeen = System.nanoTime();
                    }));
            clients.all()
                    .forEach(client -> client.check(
                            now,
                            limits,
                            () -> problems.raw(
                                    Problem.of(ProblemCode.REQUEST_TIMEOUT, "The request did not arrive in time."))));
        }
    }

    /** Without descriptors a connection gives way, and the next try is soon: the listener never ends for this. */
    @Override
    protected boolean handleAcceptFailure(Throwable failure) {
        if (!isRunning() || stopped.getCount() == 0) {
            return false;
        }
        if (System.nanoTime() - warned >= BETWEEN_WARNINGS.toNanos()) {
            warned = System.nanoTime();
            LOG.log(Level.WARNING, "a connection could not be accepted: {0}", failure.toString());
        }
        clients.giveWay();
        try {
            Thread.sleep(WITHOUT_DESCRIPTORS);
        } catch (InterruptedException e) {
            return isRunning();
        }
        return true;
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key)
            throws IOException {
        var client = new Client(channel, selector, key, getScheduler(), clients);
        if (!clients.opened(client)) {
            refuse(channel);
            throw new IOException("no place for another connection");
        }
        return client;
    }

    /** Says why, as far as this can be said without waiting. */
    private void refuse(SocketChannel channel) throws IOException {
        if (!clients.tls()) {
            var answer = Problem.of(ProblemCode.OVERLOADED, "The server has too many connections.")
                    .after(Duration.ofSeconds(1));
            channel.write(problems.raw(answer));
        }
        channel.shutdownOutput();
    }

    Optional<String> trouble() {
        long now = System.nanoTime();
        if (now - acceptorSeen > DEAD.toNanos()) {
            return Optional.of("the listener accepts no connections");
        }
        return now - selectorsSeen > DEAD.toNanos() ? Optional.of("the listener reads no requests") : Optional.empty();
    }

    /** Closes the listening socket once nobody waits to be accepted. */
    void stopAccepting() throws InterruptedException {
        stopping = true;
        if (!stopped.await(1, TimeUnit.SECONDS)) {
            close();
        }
    }
}
