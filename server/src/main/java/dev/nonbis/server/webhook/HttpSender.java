package dev.nonbis.server.webhook;

import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.core.webhook.WebhookSender;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.ProcessingProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * Sends each request over a connection of its own. The host is looked up once for it, and the address that was checked is the one that is
 * connected to. Redirects are not followed: they are answers that are no success.
 */
public final class HttpSender implements WebhookSender, AutoCloseable {

    /** From the look-up of the host to the last byte of the answer. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(15);

    private static final int MAX_HEADER_BYTES = 16 << 10;
    private static final int MAX_BODY_BYTES = 8 << 10;
    // Many webhooks may have one host, and each sends one request at a time.
    private static final int MAX_CONNECTIONS_PER_HOST = 1000;
    private static final Duration HOST_FORGOTTEN_AFTER = Duration.ofMinutes(1);
    // Nothing blocks on these threads.
    private static final int THREADS = 4;

    private final Addresses addresses;
    private final InstantSource clock;
    private final Names names;
    private final Duration timeLimit;
    private final HttpClient client;

    public HttpSender(Addresses addresses, InstantSource clock) {
        this(addresses, clock, new Reach(InetAddress::getByName, new SslContextFactory.Client(), TIME_LIMIT));
    }

    HttpSender(Addresses addresses, InstantSource clock, Reach reach) {
        this.addresses = addresses;
        this.clock = clock;
        this.names = reach.names();
        this.timeLimit = reach.timeLimit();
        this.client = client(reach.tls());
    }

    /** Where hosts are. */
    @FunctionalInterface
    interface Names {
        InetAddress address(String host) throws UnknownHostException;
    }

    /** Where hosts are, which certificates they may have, and how long one request may take. */
    record Reach(Names names, SslContextFactory.Client tls, Duration timeLimit) {}

    /** The host is at an address that may not be called. */
    private static final class PrivateAddress extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Goes on waiting after any informational answer, however many there are. */
    private static final class Informational extends ProcessingProtocolHandler {
        @Override
        public boolean accept(Request request, Response response) {
            return HttpStatus.isInformational(response.getStatus())
                    && response.getStatus() != HttpStatus.SWITCHING_PROTOCOLS_101;
        }
    }

    @Override
    public Outcome send(Webhook webhook, Message message) {
        var complaint = addresses.complaint(webhook.target().url());
        if (complaint.isPresent()) {
            return new Outcome.Failed("the URL " + complaint.get());
        }
        try {
            // Does nothing after the first time. A server without webhooks has no threads for them.
            client.start();
            return outcome(request(URI.create(webhook.target().url()), webhook.secret(), message));
        } catch (TimeoutException e) {
            return new Outcome.Failed("no answer within " + timeLimit.toSeconds() + " seconds");
        } catch (ExecutionException e) {
            return new Outcome.Failed(why(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed("interrupted");
        } catch (Exception e) {
            throw new IllegalStateException("the client for webhooks does not start", e);
        }
    }

    @Override
    public void close() {
        try {
            client.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the client for webhooks does not stop", e);
        }
    }

    private HttpClient client(SslContextFactory.Client tls) {
        var connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setSslContextFactory(tls);
        connector.setConnectTimeout(timeLimit);
        var created = new HttpClient(new HttpClientTransportOverHTTP(connector));
        var threads = new QueuedThreadPool(THREADS, 1);
        threads.setName("nonbis-webhooks");
        threads.setDaemon(true);
        created.setExecutor(threads);
        created.setScheduler(new ScheduledExecutorScheduler("nonbis-webhook-times", true));
        created.setSocketAddressResolver(this::resolve);
        created.setMaxConnectionsPerDestination(MAX_CONNECTIONS_PER_HOST);
        created.setDestinationIdleTimeout(HOST_FORGOTTEN_AFTER.toMillis());
        created.setMaxResponseHeadersSize(MAX_HEADER_BYTES);
        created.setFollowRedirects(false);
        created.setHttpCookieStore(new HttpCookieStore.Empty());
        created.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, "nonbis"));
        created.addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarted(LifeCycle started) {
                // The client adds them when it starts. An answer is neither unpacked nor a reason to ask again.
                created.getContentDecoderFactories().clear();
                created.getProtocolHandlers().clear();
                created.getProtocolHandlers().put(new Informational());
            }
        });
        return created;
    }

    // On a thread of its own: a look-up may take longer than the request.
    private void resolve(String host, int port, Object context, Promise<List<InetSocketAddress>> found) {
        Thread.ofVirtual().name("nonbis-webhook-name").start(() -> {
            try {
                // Its certificate has to be for this name, wherever the address came from.
                var address = InetAddress.getByAddress(host, names.address(host).getAddress());
                if (!addresses.isAllowed(address)) {
                    throw new PrivateAddress();
                }
                found.succeeded(List.of(new InetSocketAddress(address, port)));
            } catch (IOException | RuntimeException e) {
                found.failed(e);
            }
        });
    }

    private Request request(URI uri, String secret, Message message) {
        long seconds = clock.instant().getEpochSecond();
        return client.newRequest(uri)
                .method(HttpMethod.POST)
                .timeout(timeLimit.toMillis(), TimeUnit.MILLISECONDS)
                .headers(headers -> headers.put(HttpHeader.CONNECTION, "close")
                        .put("webhook-id", message.id())
                        .put("webhook-timestamp", Long.toString(seconds))
                        .put("webhook-signature", Signature.of(secret, message.id(), seconds, message.body())))
                .body(new BytesRequestContent("application/json", message.body()));
    }

    private Outcome outcome(Request request) throws InterruptedException, TimeoutException, ExecutionException {
        try (var listener = new InputStreamResponseListener()) {
            request.send(listener);
            var response = listener.get(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
            drain(listener);
            return new Outcome.Answered(response.getStatus());
        } catch (IOException e) {
            throw new IllegalStateException("closing a listener cannot fail", e);
        }
    }

    // A receiver that can write all that it has to say sees no broken connection. What it says is not used.
    private static void drain(InputStreamResponseListener listener) {
        try (var body = listener.getInputStream()) {
            body.skipNBytes(MAX_BODY_BYTES);
        } catch (IOException e) {
            // The status has arrived, and that is all that counts.
        }
    }

    private String why(ExecutionException failed) {
        return switch (failed.getCause()) {
            case null -> "failed";
            case PrivateAddress e -> "the host is at a private address";
            case UnknownHostException e -> "the host is not known";
            case TimeoutException e -> "no answer within " + timeLimit.toSeconds() + " seconds";
            case Throwable e -> e.getClass().getSimpleName() + ": " + e.getMessage();
        };
    }
}
