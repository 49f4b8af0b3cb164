package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.server.config.Config;
import dev.nonbis.server.signing.SigningKeyFile;
import dev.nonbis.testkit.SimulatedClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a session lasts, and what ends it. */
class SessionsTest {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        client.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String signIn(RealServer server) {
        return send(HttpRequest.newBuilder(URI.create(server.url() + "/sign-in"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString("key=" + RealServer.BOB)))
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .split(";", 2)[0];
    }

    private boolean isSignedIn(RealServer server, String cookie) {
        return send(HttpRequest.newBuilder(URI.create(server.url() + "/jobs")).header("Cookie", cookie))
                        .statusCode()
                == 200;
    }

    @Test
    void a_restart_signs_nobody_out() {
        String cookie;
        try (var server = new RealServer(directory)) {
            cookie = signIn(server);
        }
        try (var server = new RealServer(directory)) {
            assertThat(isSignedIn(server, cookie)).isTrue();
        }
    }

    @Test
    void a_session_of_one_server_is_good_at_another_with_the_same_signing_key_and_at_no_other(@TempDir Path second)
            throws Exception {
        try (var one = new RealServer(directory)) {
            var cookie = signIn(one);
            try (var stranger = new RealServer(second)) {
                assertThat(isSignedIn(stranger, cookie)).isFalse();
            }
            Files.copy(
                    directory.resolve(SigningKeyFile.NAME),
                    second.resolve(SigningKeyFile.NAME),
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING,
                    java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
            try (var other = new RealServer(second)) {
                assertThat(isSignedIn(other, cookie)).isTrue();
            }
        }
    }

    @Test
    void a_key_that_is_taken_away_ends_its_sessions() {
        String cookie;
        try (var server = new RealServer(directory)) {
            cookie = signIn(server);
        }
        try (var server = new RealServer(
                directory,
                config -> config.withAuth(new Config.Auth(
                        config.auth().keys().stream()
                                .filter(key -> !key.subject().equals("bob"))
                                .toList(),
                        Optional.empty())))) {
            assertThat(isSignedIn(server, cookie)).isFalse();
        }
    }

    @Test
    void a_new_signing_key_signs_everybody_out() throws Exception {
        String cookie;
        try (var server = new RealServer(directory)) {
            cookie = signIn(server);
        }
        new SigningKeyFile(directory.resolve(SigningKeyFile.NAME)).rotate();
        try (var server = new RealServer(directory)) {
            assertThat(isSignedIn(server, cookie)).isFalse();
        }
    }

    @Test
    void a_session_ends_after_twelve_hours() {
        var clock = new SimulatedClock(java.time.Instant.parse("2026-03-01T12:00:00Z"));
        try (var server = new RealServer(directory, clock)) {
            var cookie = signIn(server);
            clock.advance(Duration.ofHours(12).minusSeconds(1));
            assertThat(isSignedIn(server, cookie)).isTrue();
            clock.advance(Duration.ofSeconds(2));
            assertThat(isSignedIn(server, cookie)).isFalse();
        }
    }
}
