package dev.nonbis.server.webhook;

import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.core.webhook.WebhookSender;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sends one request over a connection of its own. The address is looked up once, checked, and then called itself, so that no second look-up
 * can lead elsewhere. A redirect is not followed: it is an answer like any other that is no success.
 */
public final class HttpSender implements WebhookSender {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int MAX_STATUS_LINE = 1024;

    private final Addresses addresses;
    private final InstantSource clock;
    private final Names names;

    public HttpSender(Addresses addresses, InstantSource clock) {
        this(addresses, clock, InetAddress::getByName);
    }

    HttpSender(Addresses addresses, InstantSource clock, Names names) {
        this.addresses = addresses;
        this.clock = clock;
        this.names = names;
    }

    /** Where hosts are. */
    @FunctionalInterface
    interface Names {
        InetAddress address(String host) throws UnknownHostException;
    }

    @Override
    public Outcome send(Webhook webhook, Message message) {
        var complaint = addresses.complaint(webhook.target().url());
        if (complaint.isPresent()) {
            return new Outcome.Failed("the URL " + complaint.get());
        }
        var uri = URI.create(webhook.target().url());
        try {
            var address = names.address(uri.getHost());
            if (!addresses.isAllowed(address)) {
                return new Outcome.Failed("the host is at a private address");
            }
            try (var socket = connect(uri, address)) {
                request(socket.getOutputStream(), uri, webhook.secret(), message);
                return new Outcome.Answered(status(socket.getInputStream()));
            }
        } catch (UnknownHostException e) {
            return new Outcome.Failed("the host is not known");
        } catch (IOException e) {
            return new Outcome.Failed(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    private static Socket connect(URI uri, InetAddress address) throws IOException {
        boolean tls = uri.getScheme().equals("https");
        int port = uri.getPort() > 0 ? uri.getPort() : tls ? 443 : 80;
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(address, port), (int) PATIENCE.toMillis());
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return tls ? secured(socket, uri.getHost(), port) : socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket secured(Socket plain, String host, int port) throws IOException {
        var socket =
                (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault()).createSocket(plain, host, port, true);
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private void request(OutputStream out, URI uri, String secret, Message message) throws IOException {
        long seconds = clock.instant().getEpochSecond();
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        String head = "POST " + path + query + " HTTP/1.1\r\n"
                + "Host: " + uri.getRawAuthority() + "\r\n"
                + "Connection: close\r\n"
                + "User-Agent: nonbis\r\n"
                + "Content-Type: application/json\r\n"
                + "Content-Length: " + message.body().length + "\r\n"
                + "webhook-id: " + message.id() + "\r\n"
                + "webhook-timestamp: " + seconds + "\r\n"
                + "webhook-signature: " + Signature.of(secret, message.id(), seconds, message.body()) + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(message.body());
        out.flush();
    }

    /** The rest of the answer is of no use. */
    private static int status(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.length() == MAX_STATUS_LINE) {
                throw new IOException("not an answer of HTTP");
            }
            line.append((char) c);
        }
        var words = line.toString().strip().split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[1-5]\\d\\d")) {
            throw new IOException("not an answer of HTTP");
        }
        return Integer.parseInt(words[1]);
    }
}
