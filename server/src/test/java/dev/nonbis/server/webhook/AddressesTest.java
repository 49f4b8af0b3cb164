package dev.nonbis.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.core.webhook.WebhookSender.Message;
import dev.nonbis.core.webhook.WebhookSender.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.9.9",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "0.0.0.0",
                "100.64.0.1",
                "192.0.0.8",
                "198.18.0.1",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fc00::1",
                "fd12:3456::1",
                "ff02::1",
                "::ffff:10.0.0.1",
                "64:ff9b::a00:1",
                "2002:a00:1::1"
            })
    void what_only_the_server_can_reach_is_refused(String address) throws UnknownHostException {
        assertThat(new Addresses(false).isAllowed(InetAddress.getByName(address)))
                .isFalse();
        assertThat(new Addresses(true).isAllowed(InetAddress.getByName(address)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1.1.1", "172.32.0.1", "100.128.0.1", "192.169.0.1", "2606:4700::1111"})
    void what_everybody_can_reach_is_allowed(String address) throws UnknownHostException {
        assertThat(new Addresses(false).isAllowed(InetAddress.getByName(address)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com/",
                "ftp://example.com/",
                "https:///x",
                "https://user@example.com/",
                "nothing",
                "https://example.com/#f",
                "https://exa mple.com/"
            })
    void a_url_that_is_not_plain_https_is_refused(String url) {
        assertThat(new Addresses(false).complaint(url)).isPresent();
    }

    @Test
    void a_name_that_leads_inside_is_not_called() {
        var sender = new HttpSender(new Addresses(false), InstantSource.system());
        var webhook = new Webhook(
                new Webhook.Key(new TenantId("acme"), "w"),
                new Webhook.Target("https://localhost:1/", List.of()),
                Signature.newSecret(),
                0,
                0,
                Instant.EPOCH,
                Optional.empty());

        assertThat(sender.send(webhook, new Message("evt_1", new byte[0])))
                .isEqualTo(new Outcome.Failed("the host is at a private address"));
    }

    private static Webhook webhook(String url) {
        return new Webhook(
                new Webhook.Key(new TenantId("acme"), "w"),
                new Webhook.Target(url, List.of()),
                Signature.newSecret(),
                0,
                0,
                Instant.EPOCH,
                Optional.empty());
    }

    @Test
    void a_name_is_looked_up_once_and_what_was_checked_is_what_is_called() throws Exception {
        var asked = new AtomicInteger();
        try (var listener = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"))) {
            // Whoever looks again is led elsewhere, where nobody is.
            HttpSender.Names rebinding =
                    host -> InetAddress.getByName(asked.getAndIncrement() == 0 ? "127.0.0.1" : "127.0.0.2");
            var served = Thread.ofVirtual().start(() -> {
                try (var socket = listener.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });

            var outcome = new HttpSender(new Addresses(true), InstantSource.system(), rebinding)
                    .send(
                            webhook("http://rebinding.example:" + listener.getLocalPort() + "/"),
                            new Message("evt_1", new byte[0]));

            served.join();
            assertThat(outcome).isEqualTo(new Outcome.Answered(204));
            assertThat(asked).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1"})
    void a_public_name_with_a_private_address_is_not_called(String address) {
        var sender =
                new HttpSender(new Addresses(false), InstantSource.system(), host -> InetAddress.getByName(address));

        assertThat(sender.send(webhook("https://public.example/"), new Message("evt_1", new byte[0])))
                .isEqualTo(new Outcome.Failed("the host is at a private address"));
    }

    @Test
    void the_signature_is_that_of_the_standards_example() {
        assertThat(Signature.of(
                        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1614265330,
                        "{\"test\": 2432232314}".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
