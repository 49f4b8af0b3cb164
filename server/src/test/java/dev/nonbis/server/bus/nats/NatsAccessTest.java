package dev.nonbis.server.bus.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.bus.Bus.Published;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.server.http.jetty.SelfSigned;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.NatsServer;
import io.nats.client.NKey;
import io.nats.client.support.JwtUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real broker that lets in only whom it knows. */
@EveryRelease
final class NatsAccessTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final JobId JOB = new JobId("job_00000000000000000000000001");
    private static final Message MESSAGE = new Message(new MessageId("jobreq:" + JOB), "job.default", ACME, JOB, 1);

    @TempDir
    Path directory;

    private NatsServer broker(String configuration) throws IOException {
        var file = Files.writeString(directory.resolve("nats.conf"), configuration);
        return NatsServer.start(Files.createDirectories(directory.resolve("broker")), List.of("-c", file.toString()));
    }

    private static NatsSettings settings(String url, Optional<Path> credentials, Optional<NatsSettings.Tls> tls) {
        return NatsSettings.of(url).with(credentials, tls);
    }

    private static NatsSettings settings(String url) {
        return settings(url, Optional.empty(), Optional.empty());
    }

    private static void carries(NatsSettings settings) {
        try (var bus = new NatsBus(settings, new Told())) {
            bus.watch();
            assertThat(bus.trouble()).isEmpty();
            assertThat(bus.publish(MESSAGE)).isEqualTo(Published.ACCEPTED);
            assertThat(bus.take(ACME, List.of("job.default"), 1)).containsExactly(MESSAGE);
        }
    }

    private static void isKeptOut(NatsSettings settings) {
        try (var bus = new NatsBus(settings, new Told())) {
            bus.watch();
            assertThat(bus.trouble()).isPresent();
        }
    }

    @Test
    void over_tls_with_user_and_password() throws Exception {
        var own = SelfSigned.in(directory);
        var stranger = SelfSigned.in(Files.createDirectories(directory.resolve("stranger")));
        var trusting = Optional.of(
                new NatsSettings.Tls(Optional.of(own.files().certificateChain()), Optional.empty(), Optional.empty()));
        var misled = Optional.of(new NatsSettings.Tls(
                Optional.of(stranger.files().certificateChain()), Optional.empty(), Optional.empty()));
        try (var broker =
                broker("""
                tls { cert_file: "%s", key_file: "%s" }
                authorization { user: nonbis, password: "s3cret" }
                """.formatted(own.files().certificateChain(), own.files().privateKey()))) {
            String address = "@127.0.0.1:" + broker.port();

            isKeptOut(settings("tls://nonbis:s3cret" + address, Optional.empty(), misled));
            isKeptOut(settings("tls://nonbis:wrong" + address, Optional.empty(), trusting));
            isKeptOut(settings("tls://127.0.0.1:" + broker.port(), Optional.empty(), trusting));
            carries(settings("tls://nonbis:s3cret" + address, Optional.empty(), trusting));
        }
    }

    @Test
    void over_tls_with_a_certificate_of_our_own() throws Exception {
        var own = SelfSigned.in(directory);
        var ca = Optional.of(own.files().certificateChain());
        try (var broker =
                broker("""
                tls { cert_file: "%1$s", key_file: "%2$s", ca_file: "%1$s", verify: true }
                """.formatted(own.files().certificateChain(), own.files().privateKey()))) {
            String url = "tls://127.0.0.1:" + broker.port();

            isKeptOut(settings(
                    url, Optional.empty(), Optional.of(new NatsSettings.Tls(ca, Optional.empty(), Optional.empty()))));
            carries(settings(
                    url,
                    Optional.empty(),
                    Optional.of(
                            new NatsSettings.Tls(ca, ca, Optional.of(own.files().privateKey())))));
        }
    }

    @Test
    void with_a_token() throws Exception {
        try (var broker = broker("authorization { token: \"s3cret\" }")) {
            isKeptOut(settings(broker.url()));
            carries(settings("nats://s3cret@127.0.0.1:" + broker.port()));
        }
    }

    @Test
    void with_a_file_of_credentials() throws Exception {
        var operator = NKey.createOperator(null);
        var account = NKey.createAccount(null);
        var user = NKey.createUser(null);
        var system = NKey.createAccount(null);
        String accountId = new String(account.getPublicKey());
        String systemId = new String(system.getPublicKey());
        try (var broker = broker("""
                operator: "%s"
                system_account: %s
                resolver: MEMORY
                resolver_preload: { %s: "%s", %s: "%s" }
                """.formatted(
                        issued(operator, new String(operator.getPublicKey()), "{\"type\":\"operator\",\"version\":2}"),
                        systemId,
                        accountId,
                        issued(operator, accountId, claim(-1)),
                        systemId,
                        issued(operator, systemId, claim(0))))) {
            var known = credentials("known.creds", account, user);
            var unknown = credentials("unknown.creds", NKey.createAccount(null), user);

            isKeptOut(settings(broker.url()));
            isKeptOut(settings(broker.url(), Optional.of(unknown), Optional.empty()));
            carries(settings(broker.url(), Optional.of(known), Optional.empty()));
        }
    }

    private static String claim(int storage) {
        return """
                {"limits":{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1,\
                "mem_storage":%1$d,"disk_storage":%1$d,"streams":%1$d,"consumer":%1$d},"type":"account","version":2}""".formatted(storage);
    }

    private static String issued(NKey by, String subject, String claim) throws GeneralSecurityException, IOException {
        return JwtUtils.issueJWT(
                by, subject, "test", null, JwtUtils.currentTimeSeconds(), new String(by.getPublicKey()), () -> claim);
    }

    private Path credentials(String name, NKey account, NKey user) throws GeneralSecurityException, IOException {
        String jwt =
                JwtUtils.issueUserJWT(account, new String(account.getPublicKey()), new String(user.getPublicKey()));
        return Files.writeString(
                directory.resolve(name), JwtUtils.NATS_USER_JWT_FORMAT.formatted(jwt, new String(user.getSeed())));
    }

    @Test
    void as_many_copies_as_the_broker_cannot_make_or_did_not_make_are_named() throws Exception {
        try (var broker = broker("")) {
            carries(settings(broker.url()));
            var three = NatsSettings.of(broker.url()).withReplicas(3);
            try (var bus = new NatsBus(three, new Told())) {
                assertThatThrownBy(bus::watch)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("num_replicas 1 where 3 is needed");
            }
            broker.restartEmpty();
            try (var bus = new NatsBus(three, new Told())) {
                bus.watch();
                assertThat(bus.trouble())
                        .hasValueSatisfying(why -> assertThat(why).contains("replicas"));
            }
        }
    }
}
