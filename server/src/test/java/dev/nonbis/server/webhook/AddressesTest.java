package dev.nonbis.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
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
                "64:ff9b:1::a00:1",
                "::ffff:0:10.0.0.1",
                "::10.0.0.1",
                "100::1",
                "2001::1",
                "2001:0:4136:e378::1",
                "2002:a00:1::1",
                "4000::1"
            })
    void what_only_the_server_can_reach_is_refused(String address) throws UnknownHostException {
        assertThat(new Addresses(false).isAllowed(InetAddress.getByName(address)))
                .isFalse();
        assertThat(new Addresses(true).isAllowed(InetAddress.getByName(address)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1.1.1.1", "172.32.0.1", "100.128.0.1", "192.169.0.1", "2606:4700::1111", "2001:4860:4860::8888"
            })
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
                "https://example.com:0/",
                "https://example.com:65536/",
                "https://example.com:99999/",
                "https://exa mple.com/"
            })
    void a_url_that_is_not_plain_https_is_refused(String url) {
        assertThat(new Addresses(false).complaint(url)).isPresent();
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
