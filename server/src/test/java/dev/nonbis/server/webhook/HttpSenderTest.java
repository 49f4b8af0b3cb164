package dev.nonbis.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.core.webhook.WebhookSender.Message;
import dev.nonbis.core.webhook.WebhookSender.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes of a delivery to receivers that do what they like, on real sockets. */
@Timeout(60)
class HttpSenderTest {

    private static final String PASSWORD = "changeit";
    // For receivers that answer in time, however busy the machine is.
    private static final Duration PATIENT = Duration.ofSeconds(50);
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);
    private static final Outcome TOO_LATE = new Outcome.Failed("no answer within 1 seconds");

    /** What a receiver does once it has read the head of a request. */
    private interface Behaviour {
        void answer(Socket socket, OutputStream out) throws IOException;
    }

    /** A receiver on a socket of its own. */
    private static final class Hostile implements AutoCloseable {

        final List<String> heads = new CopyOnWriteArrayList<>();
        private final ServerSocket listener;
        private final Behaviour behaviour;

        Hostile(Behaviour behaviour) throws IOException {
            this(new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1")), behaviour);
        }

        Hostile(ServerSocket listener, Behaviour behaviour) {
            this.listener = listener;
            this.behaviour = behaviour;
            Thread.ofVirtual().start(this::serve);
        }

        String url() {
            return "http://127.0.0.1:" + listener.getLocalPort() + "/";
        }

        int port() {
            return listener.getLocalPort();
        }

        private void serve() {
            while (!listener.isClosed()) {
                try {
                    var socket = listener.accept();
                    Thread.ofVirtual().start(() -> {
                        try (socket) {
                            heads.add(head(socket));
                            behaviour.answer(socket, socket.getOutputStream());
                        } catch (IOException gone) {
                            // The sender has hung up.
                        }
                    });
                } catch (IOException e) {
                    return;
                }
            }
        }

        private static String head(Socket socket) throws IOException {
            var head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
                int next = socket.getInputStream().read();
                if (next < 0) {
                    break;
                }
                head.write(next);
            }
            return head.toString(StandardCharsets.US_ASCII);
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Behaviour says(String answer) {
        return (socket, out) -> out.write(bytes(answer));
    }

    /** Writes the text again and again, a byte each tenth of a second or as fast as it is taken. */
    private static void endlessly(OutputStream out, String text, boolean slowly) throws IOException {
        for (int i = 0; i < 100_000_000; i++) {
            if (slowly) {
                out.write(text.charAt(i % text.length()));
                out.flush();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            } else {
                out.write(bytes(text));
            }
        }
    }

    private static Webhook webhook(String url) {
        return Webhook.added(
                new Webhook.Key(new TenantId("acme"), "w"),
                new Webhook.Target(url, List.of()),
                Signature.newSecret(),
                0,
                Instant.EPOCH);
    }

    private static HttpSender sender(HttpSender.Names names, SslContextFactory.Client tls, Duration timeLimit) {
        return new HttpSender(new Addresses(true), InstantSource.system(), new HttpSender.Reach(names, tls, timeLimit));
    }

    private static HttpSender sender() {
        return sender(InetAddress::getByName, new SslContextFactory.Client(), PATIENT);
    }

    private static Outcome send(String url) {
        try (var sender = sender()) {
            return sender.send(webhook(url), new Message("evt_1", bytes("{}")));
        }
    }

    private static Outcome sendTo(Behaviour behaviour) throws IOException {
        return sendTo(behaviour, PATIENT);
    }

    private static Outcome sendTo(Behaviour behaviour, Duration timeLimit) throws IOException {
        try (var receiver = new Hostile(behaviour);
                var sender = sender(InetAddress::getByName, new SslContextFactory.Client(), timeLimit)) {
            return sender.send(webhook(receiver.url()), new Message("evt_1", bytes("{}")));
        }
    }

    @Test
    void an_answer_one_byte_at_a_time_ends_with_the_time_limit() throws IOException {
        assertThat(sendTo(
                        (socket, out) -> endlessly(out, "HTTP/1.1 200 OK\r\nX: " + "y".repeat(1000), true), ONE_SECOND))
                .isEqualTo(TOO_LATE);
    }

    @Test
    void a_body_one_byte_at_a_time_ends_with_the_time_limit_and_the_status_counts() throws IOException {
        assertThat(sendTo(
                        (socket, out) -> {
                            out.write(bytes("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"));
                            endlessly(out, "x", true);
                        },
                        Duration.ofSeconds(10)))
                .isEqualTo(new Outcome.Answered(200));
    }

    @Test
    void a_receiver_that_says_nothing_ends_with_the_time_limit() throws IOException {
        assertThat(sendTo((socket, out) -> endlessly(OutputStream.nullOutputStream(), "x", true), ONE_SECOND))
                .isEqualTo(TOO_LATE);
    }

    @Test
    void endless_headers_are_no_answer() throws IOException {
        assertThat(sendTo((socket, out) -> {
                    out.write(bytes("HTTP/1.1 200 OK\r\n"));
                    endlessly(out, "X-Header: " + "y".repeat(100) + "\r\n", false);
                }))
                .isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void the_rest_of_an_endless_body_is_not_read() throws Exception {
        var hungUp = new CountDownLatch(1);

        var outcome = sendTo((socket, out) -> {
            try {
                out.write(bytes("HTTP/1.1 200 OK\r\n\r\n"));
                endlessly(out, "x".repeat(1000), false);
            } catch (IOException e) {
                hungUp.countDown();
            }
        });

        assertThat(outcome).isEqualTo(new Outcome.Answered(200));
        assertThat(hungUp.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_packed_body_is_not_unpacked_and_not_asked_for() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(packed)) {
            zip.write(new byte[50 << 20]);
        }
        try (var receiver = new Hostile((socket, out) -> {
            out.write(bytes("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"));
            out.write(packed.toByteArray());
        })) {
            assertThat(send(receiver.url())).isEqualTo(new Outcome.Answered(200));
            assertThat(receiver.heads.getFirst().toLowerCase(Locale.ROOT)).doesNotContain("accept-encoding");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308, 401, 407, 500, 204})
    void one_request_gets_one_answer_whatever_it_asks_for(int status) throws IOException {
        try (var elsewhere = new Hostile(says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
                var receiver = new Hostile(says("HTTP/1.1 " + status + " Answer\r\nLocation: " + elsewhere.url()
                        + "\r\nWWW-Authenticate: Basic realm=\"x\"\r\nProxy-Authenticate: Basic realm=\"x\"\r\nSet-Cookie: a=b\r\n"
                        + "Content-Length: 0\r\n\r\n"))) {
            assertThat(send(receiver.url())).isEqualTo(new Outcome.Answered(status));
            assertThat(receiver.heads).hasSize(1);
            assertThat(elsewhere.heads).isEmpty();
        }
    }

    @Test
    void informational_answers_are_not_the_answer() throws IOException {
        String go = "HTTP/1.1 100 Continue\r\n\r\n";
        String working = "HTTP/1.1 102 Processing\r\n\r\n";
        String hint = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
        String switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n";
        String done = "HTTP/1.1 204 No Content\r\n\r\n";

        assertThat(sendTo(says(go + hint + hint + go + go + working + done))).isEqualTo(new Outcome.Answered(204));
        assertThat(sendTo(says(switching + done))).isNotEqualTo(new Outcome.Answered(204));
        assertThat(sendTo(
                        (socket, out) -> {
                            out.write(bytes(go + hint));
                            endlessly(OutputStream.nullOutputStream(), "x", true);
                        },
                        ONE_SECOND))
                .isEqualTo(TOO_LATE);
    }

    @Test
    void a_connection_that_breaks_is_not_tried_again() throws IOException {
        try (var receiver = new Hostile((socket, out) -> socket.setSoLinger(true, 0))) {
            assertThat(send(receiver.url())).isInstanceOf(Outcome.Failed.class);
            assertThat(receiver.heads).hasSize(1);
        }
    }

    @Test
    void no_cookie_and_no_connection_is_kept() throws IOException {
        try (var receiver = new Hostile(says("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"));
                var sender = sender()) {
            sender.send(webhook(receiver.url()), new Message("evt_1", bytes("{}")));
            sender.send(webhook(receiver.url()), new Message("evt_2", bytes("{}")));

            assertThat(receiver.heads)
                    .hasSize(2)
                    .allSatisfy(head -> assertThat(head.toLowerCase(Locale.ROOT))
                            .contains("connection: close", "user-agent: nonbis", "host: 127.0.0.1:" + receiver.port())
                            .doesNotContain("cookie"));
        }
    }

    @Test
    void a_name_is_looked_up_once_and_what_was_checked_is_what_is_called() throws IOException {
        var asked = new AtomicInteger();
        // Whoever looks again is led elsewhere, where nobody listens.
        HttpSender.Names rebinding =
                host -> InetAddress.getByName(asked.getAndIncrement() == 0 ? "127.0.0.1" : "127.0.0.2");
        try (var receiver = new Hostile(says("HTTP/1.1 204 No Content\r\n\r\n"));
                var sender = sender(rebinding, new SslContextFactory.Client(), PATIENT)) {
            var outcome = sender.send(
                    webhook("http://rebinding.example:" + receiver.port() + "/"), new Message("evt_1", new byte[0]));

            assertThat(outcome).isEqualTo(new Outcome.Answered(204));
            assertThat(asked).hasValue(1);
            assertThat(receiver.heads.getFirst()).contains("Host: rebinding.example:" + receiver.port());
        }
    }

    @Test
    void a_certificate_must_be_for_the_name_while_the_checked_address_is_called(@TempDir Path directory)
            throws Exception {
        var store = keyStore(directory);
        try (var receiver = new Hostile(secured(store), says("HTTP/1.1 204 No Content\r\n\r\n"));
                var sender = sender(host -> InetAddress.ofLiteral("127.0.0.1"), trusting(store), PATIENT)) {
            assertThat(sender.send(
                            webhook("https://receiver.example:" + receiver.port() + "/"),
                            new Message("evt_1", new byte[0])))
                    .isEqualTo(new Outcome.Answered(204));
            assertThat(sender.send(
                            webhook("https://other.example:" + receiver.port() + "/"),
                            new Message("evt_1", new byte[0])))
                    .isInstanceOf(Outcome.Failed.class);
            assertThat(receiver.heads.stream().filter(head -> head.startsWith("POST")))
                    .hasSize(1);
        }
        try (var receiver = new Hostile(secured(store), says("HTTP/1.1 204 No Content\r\n\r\n"));
                var sender =
                        sender(host -> InetAddress.ofLiteral("127.0.0.1"), new SslContextFactory.Client(), PATIENT)) {
            assertThat(sender.send(
                            webhook("https://receiver.example:" + receiver.port() + "/"),
                            new Message("evt_1", new byte[0])))
                    .isInstanceOf(Outcome.Failed.class);
        }
    }

    @Test
    void a_look_up_that_takes_too_long_ends_with_the_time_limit() {
        var never = new CountDownLatch(1);
        try (var sender = sender(
                host -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return InetAddress.getLoopbackAddress();
                },
                new SslContextFactory.Client(),
                ONE_SECOND)) {
            assertThat(sender.send(webhook("http://slow.example/"), new Message("evt_1", new byte[0])))
                    .isEqualTo(TOO_LATE);
        } finally {
            never.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "0.0.0.0"})
    void a_public_name_with_a_private_address_is_not_called(String address) {
        try (var sender = new HttpSender(
                new Addresses(false),
                InstantSource.system(),
                new HttpSender.Reach(
                        host -> InetAddress.getByName(address), new SslContextFactory.Client(), PATIENT))) {
            assertThat(sender.send(webhook("https://public.example/"), new Message("evt_1", new byte[0])))
                    .isEqualTo(new Outcome.Failed("the host is at a private address"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://localhost:1/", "https://2130706433:1/", "https://[::1]:1/"})
    void a_name_that_leads_inside_is_not_called(String url) {
        try (var sender = new HttpSender(new Addresses(false), InstantSource.system())) {
            assertThat(sender.send(webhook(url), new Message("evt_1", new byte[0])))
                    .isEqualTo(new Outcome.Failed("the host is at a private address"));
        }
    }

    private static KeyStore keyStore(Path directory) throws Exception {
        var file = directory.resolve("keys.p12");
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "receiver",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=receiver.example",
                        "-ext",
                        "san=dns:receiver.example",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    private static ServerSocket secured(KeyStore store) throws Exception {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    }

    private static SslContextFactory.Client trusting(KeyStore store) {
        var tls = new SslContextFactory.Client();
        tls.setTrustStore(store);
        return tls;
    }
}
