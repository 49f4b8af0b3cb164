package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.config.StoreUrl;
import dev.nonbis.server.store.postgres.Postgres;
import dev.nonbis.server.store.redis.Redis;
import dev.nonbis.testkit.service.EveryRelease;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that take only TLS and a password. */
final class StoresOverTlsTest {

    private static final String JOB = "{\"topic\":\"job.none\"}";

    @TempDir
    Path directory;

    @BeforeEach
    void needOpenssl() throws IOException {
        boolean installed = Certificates.canBeMade();
        if ("true".equals(System.getenv("CI"))) {
            assertThat(installed).as("openssl is installed").isTrue();
        }
        assumeTrue(installed, "openssl is not installed");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    @EveryRelease
    void postgres_is_used_over_tls_by_whoever_it_can_prove_itself_to_and_who_knows_the_password() throws Exception {
        var certificates = Certificates.in(directory);
        certificates.giveKeyTo("postgres");
        var access = directory.resolve("pg_hba.conf");
        Files.writeString(access, """
                local all all trust
                host all postgres 127.0.0.1/32 trust
                hostssl all nonbis 127.0.0.1/32 scram-sha-256
                """);
        try (var postgres = Postgres.startOrSkip(
                "ssl = on",
                "ssl_cert_file = '" + certificates.certificate() + "'",
                "ssl_key_file = '" + certificates.key() + "'",
                "hba_file = '" + access + "'")) {
            postgres.sql("postgres", "CREATE ROLE nonbis LOGIN PASSWORD 'p@ss'");
            postgres.sql("postgres", "CREATE DATABASE tls OWNER nonbis ENCODING 'UTF8' TEMPLATE template0");
            var at = "127.0.0.1:" + postgres.port();
            var verified = Map.of(
                    "sslmode", "verify-full", "sslrootcert", certificates.ca().toString());

            works(new StoreUrl.Postgres(at, "tls", "nonbis", "p@ss", verified));
            isRefused(new StoreUrl.Postgres(at, "tls", "nonbis", "wrong", verified), "password");
            isRefused(
                    new StoreUrl.Postgres(
                            at,
                            "tls",
                            "nonbis",
                            "p@ss",
                            Map.of(
                                    "sslmode",
                                    "verify-full",
                                    "sslrootcert",
                                    certificates.stranger().toString())),
                    "certification path");
        }
    }

    @Test
    void redis_is_used_over_tls_by_whoever_it_can_prove_itself_to_and_who_knows_the_password() throws Exception {
        var certificates = Certificates.in(directory);
        int port = freePort();
        try (var redis = Redis.startOrSkip(
                "--tls-port", Integer.toString(port),
                "--tls-cert-file", certificates.certificate().toString(),
                "--tls-key-file", certificates.key().toString(),
                "--tls-ca-cert-file", certificates.ca().toString(),
                "--tls-auth-clients", "no")) {
            redis.command("ACL", "SETUSER", "nonbis", "on", ">p@ss", "~nonbis:*", "+@all");
            var ca = certificates.ca().toString();

            works(new StoreUrl.Redis("127.0.0.1", port, 0, "nonbis", "p@ss", true, ca));
            isRefused(new StoreUrl.Redis("127.0.0.1", port, 0, "nonbis", "wrong", true, ca), "WRONGPASS");
            isRefused(new StoreUrl.Redis("127.0.0.1", port, 0, "nonbis", "p@ss", false, ""), "127.0.0.1");
            isRefused(
                    new StoreUrl.Redis(
                            "127.0.0.1",
                            port,
                            0,
                            "nonbis",
                            "p@ss",
                            true,
                            certificates.stranger().toString()),
                    "127.0.0.1");
            // It is 127.0.0.1 by its certificate, and by no other name.
            isRefused(new StoreUrl.Redis("localhost", port, 0, "nonbis", "p@ss", true, ca), "localhost");
            isRefused(
                    new StoreUrl.Redis("127.0.0.1", port, 0, "nonbis", "p@ss", true, directory + "/none.pem"),
                    "sslrootcert");
        }
    }

    private void works(StoreUrl url) throws IOException {
        try (var server = new RealServer(directory, 0, url, Config.Durability.STRICT)) {
            assertThat(server.post("/api/v1/jobs", RealServer.ACME, "k", JOB).status())
                    .isEqualTo(200);
            assertThat(server.post("/api/v1/jobs", RealServer.ACME, "k", JOB).replayed())
                    .isTrue();
        }
    }

    private void isRefused(StoreUrl url, String why) {
        assertThatThrownBy(() -> new RealServer(directory, 0, url, Config.Durability.STRICT))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining(why)
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("p@ss"));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
