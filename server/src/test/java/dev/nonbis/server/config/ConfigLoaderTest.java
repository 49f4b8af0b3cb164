package dev.nonbis.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ConfigLoaderTest {

    private static final String HASH = "0123456789abcdef".repeat(4);
    private static final String KEYS =
            "auth: {keys: [{subject: alice, tenant: acme, roles: [submitter], sha256: " + HASH + "}]}\n";

    @TempDir
    Path directory;

    static Stream<Arguments> badFiles() {
        return Stream.of(
                bad(
                        "http: {port: 70000}",
                        "1:14: http.port: \"70000\" is not a port: give a whole number from 0 to 65535"),
                bad("http: {port: }", "1:13: http.port: has no value"),
                bad("http: {port: [1]}", "1:14: http.port: must be a single value"),
                bad("http: 7420", "1:7: http: must be a group of entries: host, port, tls, trusted_proxies, limits"),
                bad(
                        "htp: {port: 1}",
                        "1:1: htp: unknown entry; known here: http, management, store, bus, auth, policy, topics, signing,"
                                + " idempotency, approvals, webhooks, tracing, logs, limits, durability"),
                bad(
                        "http:\n  port: 1\n  prot: 2",
                        "3:3: http.prot: unknown entry; known here: host, port, tls, trusted_proxies, limits"),
                bad("http: {port: 1}\nhttp: {port: 2}", "2:1: http: written twice"),
                bad("durability: lax", "1:13: durability: \"lax\" is not strict or relaxed"),
                bad(
                        "store: {url: 'mysql://x'}",
                        "1:14: store.url: not a store: give sqlite:PATH, postgres://user:password@host:5432/database"
                                + " or redis://host:6379/0"),
                bad(
                        "store: {url: 'sqlite:'}",
                        "1:14: store.url: not a path: give sqlite:PATH, as in sqlite:./nonbis-data/nonbis.db"),
                bad(
                        "store: {url: 'redis://u:secret@h:6379/zero'}",
                        "1:14: store.url: not a Redis server: give redis://host:6379/0, or redis://user:password@host:6379/0"),
                bad(
                        "store: {url: 'redis://h:70000/0'}",
                        "1:14: store.url: not a port: give a whole number from 1 to 65535"),
                bad(
                        "store: {url: 'rediss://u:100%@h/0'}",
                        "1:14: store.url: a percent sign that is not followed by two hex digits: write it as %25"),
                bad(
                        "store: {url: 'postgres://u:secret@h'}",
                        "1:14: store.url: not a database: give postgres://user:password@host:5432/database"),
                bad(
                        "store: {url: 'postgres://h/db'}",
                        "1:14: store.url: no user: give postgres://user:password@host:5432/database"),
                bad(
                        "store: {url: 'postgres://u:secret@h:99999/db'}",
                        "1:14: store.url: not a host and port: give postgres://user:password@host:5432/database"),
                bad(
                        "store: {url: 'postgres://u:secret@h:port/db'}",
                        "1:14: store.url: not a host and port: give postgres://user:password@host:5432/database"),
                bad(
                        "store: {url: 'postgres://u:secret@h/db?sslmod=require'}",
                        "1:14: store.url: unknown option in the query: known are channelBinding, currentSchema, sslcert,"
                                + " sslkey, sslmode, sslrootcert"),
                bad(
                        "store: {url: 'postgres://u:100%@h/db'}",
                        "1:14: store.url: a percent sign that is not followed by two hex digits: write it as %25"),
                bad(
                        "bus: {url: 'nats:h'}",
                        "1:12: bus.url: not a bus: give embedded: or nats://HOST:4222, tls:// for TLS, several with commas between"),
                bad("bus: {replicas: 3}", "1:17: bus.replicas: only a bus.url of nats:// or tls:// has this"),
                bad(
                        "bus: {url: 'nats://h', replicas: 9}",
                        "1:34: bus.replicas: \"9\" is not a number in range: give a whole number from 1 to 5"),
                bad("bus: {url: 'nats://h', dedup: never}", "1:31: bus.dedup: \"never\" is not window or stream"),
                bad(
                        "idempotency: {retention: {jobs: 3 weeks}}",
                        "1:33: idempotency.retention.jobs: \"3 weeks\" is not a duration: give a whole number and ms, s, m, h"
                                + " or d, as in 30s or 90d, or none"),
                bad(
                        "approvals: {expire_after: none}",
                        "1:27: approvals.expire_after: \"none\" is not a duration: give a whole number and ms, s, m, h or d, as"
                                + " in 30s or 90d"),
                bad(
                        "approvals: {expire_after: 0s}",
                        "1:27: approvals.expire_after: \"0s\" is not a duration: it must be longer than zero"),
                bad("approvals: {allow_self: yes}", "1:25: approvals.allow_self: \"yes\" is not true or false"),
                bad("tracing: {sample_percent: 10}", "1:1: tracing.otlp_url: missing"),
                bad(
                        "tracing: {otlp_url: 'http://collector/v1/traces'}",
                        "1:21: tracing.otlp_url: \"http://collector/v1/traces\" is not encrypted: give https://, or http:// with a"
                                + " loopback address"),
                bad(
                        "tracing: {otlp_url: 'collector:4318'}",
                        "1:21: tracing.otlp_url: \"collector:4318\" is not a URL: give https://HOST/PATH"),
                bad("logs: {format: xml}", "1:16: logs.format: \"xml\" is not text or json"),
                bad("logs: {requests: some}", "1:18: logs.requests: \"some\" is not none, failed or all"),
                bad("idempotency: {required: jobs}", "1:25: idempotency.required: must be a list"),
                bad(
                        "idempotency:\n  required:\n    - jobs\n    - jbos",
                        "4:7: idempotency.required[1]: \"jbos\" is not an operation: give one of jobs, runs, payments"),
                bad(
                        "limits: {Acme: {max_concurrent_runs: 1}}",
                        "1:10: limits.Acme: \"Acme\" is not a tenant: it must match ^[a-z0-9][a-z0-9_-]{0,62}$"),
                bad(
                        "limits: {acme: {max_concurrent_runs: -1}}",
                        "1:38: limits.acme.max_concurrent_runs: \"-1\" is not a number in range: give a whole number from 0 to"
                                + " 1000000"),
                bad(
                        "limits: {acme: {max_runs: 1}}",
                        "1:17: limits.acme.max_runs: unknown entry; known here: max_concurrent_runs"),
                bad("http: {port: 1", "2:5: not YAML: expected ',' or '}', but got :"),
                bad("a: 1\n---\nb: 2\n", "2:1: not YAML: but found another document"));
    }

    static Stream<Arguments> badCredentials() {
        var alice = "    - {subject: alice, tenant: acme, roles: [submitter], sha256: " + HASH + "}\n";
        return Stream.of(
                bad("http: {port: 1}", "1:1: auth: nobody could call: give at least one of auth.keys and auth.jwt"),
                bad(
                        "http: {port: 1}\nauth: {keys: []}",
                        "2:1: auth: nobody could call: give at least one of auth.keys and auth.jwt"),
                bad(
                        "auth:\n  keys:\n" + alice + alice.replace("alice", "bob"),
                        "4:64: auth.keys[1].sha256: the same token as auth.keys[0]"),
                bad(
                        "auth:\n  keys:\n" + alice.replace("submitter", "boss"),
                        "3:46: auth.keys[0].roles[0]: \"boss\" is not a role: give one of submitter, approver, worker, operator, auditor, admin"),
                bad(
                        "auth:\n  keys:\n" + alice.replace(HASH, "abc"),
                        "3:66: auth.keys[0].sha256: not a SHA-256: give 64 hex digits, the output of: printf %s TOKEN | sha256sum"),
                bad(
                        "auth:\n  keys:\n    - {tenant: acme, roles: [admin], sha256: " + HASH + "}",
                        "3:7: auth.keys[0].subject: missing"),
                bad(
                        "auth:\n  keys:\n    - {subject: a, tenant: acme, roles: [], sha256: " + HASH + "}",
                        "3:7: auth.keys[0].roles: missing: give at least one of submitter, approver, worker, operator, auditor, admin"),
                bad("auth: {jwt: {issuer: i, audience: a}}", "1:8: auth.jwt.jwks_file: missing"));
    }

    private static Arguments bad(String yaml, String error) {
        return Arguments.of(yaml, error);
    }

    @ParameterizedTest
    @MethodSource("badFiles")
    void a_bad_entry_is_refused_with_line_column_entry_and_reason(String yaml, String expected) throws IOException {
        assertThat(errors(yaml + "\n" + KEYS, Map.of())).containsExactly(expected);
    }

    @ParameterizedTest
    @MethodSource("badCredentials")
    void credentials_that_could_not_work_are_refused(String yaml, String expected) throws IOException {
        assertThat(errors(yaml, Map.of())).containsExactly(expected);
    }

    @Test
    void all_errors_are_listed_in_the_order_of_the_file_and_the_environment_last() throws IOException {
        var yaml = "durability: lax\nhttp:\n  port: x\n  tls: {cert: nowhere.pem}\n" + KEYS;

        assertThat(errors(yaml, Map.of("NONBIS_BUS_URL", "x", "NONBIS_PRT", "1")))
                .containsExactly(
                        "1:13: durability: \"lax\" is not strict or relaxed",
                        "3:9: http.port: \"x\" is not a port: give a whole number from 0 to 65535",
                        "4:3: http.tls.key: missing",
                        "4:15: http.tls.cert: cannot read the file " + directory.resolve("nowhere.pem"),
                        "environment NONBIS_PRT: unknown variable: no entry has this environment twin",
                        "environment NONBIS_BUS_URL: bus.url: not a bus: give embedded: or nats://HOST:4222, tls:// for TLS, several with commas between");
    }

    @Test
    void variables_that_kubernetes_makes_of_a_service_are_ignored() throws IOException {
        var ofServices = Map.of(
                "NONBIS_SERVICE_HOST", "10.0.0.1",
                "NONBIS_SERVICE_PORT", "7420",
                "NONBIS_SERVICE_PORT_API", "7420",
                "NONBIS_PORT", "tcp://10.0.0.1:7420",
                "NONBIS_PORT_7420_TCP", "tcp://10.0.0.1:7420",
                "NONBIS_PORT_7420_TCP_ADDR", "10.0.0.1",
                "NONBIS_HTTP_PORT", "tcp://10.0.0.2:80");

        assertThat(load(KEYS, ofServices)).isInstanceOfSatisfying(ConfigResult.Accepted.class, accepted -> {
            assertThat(accepted.config().http().port()).isEqualTo(7420);
            assertThat(accepted.ignored()).containsExactlyInAnyOrderElementsOf(ofServices.keySet());
        });
        assertThat(errors(KEYS, Map.of("NONBIS_HTTP_PORT", "nonsense"))).hasSize(1);
        assertThat(errors(KEYS, Map.of("NONBIS_PORTS", "1"))).hasSize(1);
    }

    @Test
    void the_file_of_the_reference_page_is_understood() throws IOException {
        var config = accepted("""
                http: {host: 0.0.0.0, port: 8080, limits: {header_timeout: 500ms}}
                management: {port: 2113}
                store: {url: "sqlite:data/plane.db"}
                bus: {url: "embedded:"}
                idempotency: {retention: {jobs: 30d, runs: none, payments: 15m}, required: [payments, jobs]}
                approvals: {expire_after: 7d, allow_self: true}
                limits: {acme: {max_concurrent_runs: 10}}
                durability: relaxed
                """ + KEYS, Map.of());

        assertThat(config.http().host()).isEqualTo("0.0.0.0");
        assertThat(config.http().limits().headerTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.management()).isEqualTo(new Config.Management("127.0.0.1", 2113));
        assertThat(config.store()).isEqualTo(new StoreUrl.Sqlite(directory.resolve("data/plane.db")));
        assertThat(config.idempotency().retention())
                .isEqualTo(new Config.Retention(
                        Optional.of(Duration.ofDays(30)), Optional.empty(), Optional.of(Duration.ofMinutes(15))));
        assertThat(config.idempotency().required()).containsExactlyInAnyOrder("payments", "jobs");
        assertThat(config.limits()).isEqualTo(Map.of("acme", new Config.TenantLimits(Optional.of(10))));
        assertThat(config.durability()).isEqualTo(Config.Durability.RELAXED);
        assertThat(config.auth().keys()).containsExactly(new Config.ApiKey("alice", "acme", Set.of("submitter"), HASH));
    }

    @Test
    void what_is_not_written_has_its_default() throws IOException {
        var config = accepted(KEYS, Map.of());

        assertThat(config.withAuth(Config.defaults().auth())).isEqualTo(Config.defaults());
    }

    @Test
    void every_variable_wins_over_its_entry() throws IOException {
        var config = accepted(
                "http: {port: 1}\nidempotency: {required: [payments, runs]}\n" + KEYS,
                Map.of(
                        "NONBIS_HTTP_PORT", "9000",
                        "NONBIS_IDEMPOTENCY_REQUIRED", "jobs",
                        "NONBIS_IDEMPOTENCY_TTL_JOBS", "24h",
                        "NONBIS_IDEMPOTENCY_RETENTION_RUNS", "1d",
                        "NONBIS_LIMITS_ACME_MAX_CONCURRENT_RUNS", "3",
                        "NONBIS_URL", "http://ignored",
                        "PATH", "/bin"));

        assertThat(config.http().port()).isEqualTo(9000);
        assertThat(config.idempotency().required()).containsExactly("jobs");
        assertThat(config.idempotency().retention().jobs()).contains(Duration.ofHours(24));
        assertThat(config.idempotency().retention().runs()).contains(Duration.ofDays(1));
        assertThat(config.limits()).containsEntry("acme", new Config.TenantLimits(Optional.of(3)));
    }

    @Test
    void a_bad_variable_names_itself_and_its_entry() throws IOException {
        assertThat(errors(KEYS, Map.of("NONBIS_IDEMPOTENCY_TTL_JOBS", "soon")))
                .containsExactly(
                        "environment NONBIS_IDEMPOTENCY_TTL_JOBS: idempotency.retention.jobs: \"soon\" is not a"
                                + " duration: give a whole number and ms, s, m, h or d, as in 30s or 90d, or none");
    }

    @Test
    void an_escape_at_the_end_of_the_file_is_refused_like_any_other_text_that_is_not_yaml() throws IOException {
        assertThat(errors("store: \"\\u", Map.of())).singleElement().asString().startsWith("1:1: not YAML: ");
    }

    @Test
    void two_names_for_one_entry_are_refused() throws IOException {
        assertThat(errors(KEYS, Map.of("NONBIS_IDEMPOTENCY_TTL_JOBS", "1d", "NONBIS_IDEMPOTENCY_RETENTION_JOBS", "2d")))
                .containsExactly("environment NONBIS_IDEMPOTENCY_TTL_JOBS: means the same as"
                        + " NONBIS_IDEMPOTENCY_RETENTION_JOBS, which is set too: keep one");
    }

    @Test
    void a_secret_may_stand_in_a_file_beside_the_configuration() throws IOException {
        Files.writeString(directory.resolve("alice.sha256"), HASH + "\n");

        var config = accepted(KEYS.replace(HASH, "file:alice.sha256"), Map.of());

        assertThat(config.auth().keys().getFirst().sha256()).isEqualTo(HASH);
        assertThat(errors(KEYS.replace(HASH, "file:bob.sha256"), Map.of()))
                .containsExactly("1:74: auth.keys[0].sha256: cannot read the file " + directory.resolve("bob.sha256"));
    }

    @Test
    void a_file_that_is_not_there_is_one_error() {
        var missing = directory.resolve("missing.yaml");

        assertThat(ConfigLoader.load(Optional.of(missing), Map.of()))
                .isEqualTo(new ConfigResult.Refused(
                        List.of(new ConfigError(new Place.InFile(missing, 1, 1), "", "cannot read the file"))));
    }

    @Test
    void without_file_and_credentials_the_start_is_refused() {
        assertThat(ConfigLoader.load(Optional.empty(), Map.of()))
                .isEqualTo(new ConfigResult.Refused(List.of(new ConfigError(
                        new Place.Nowhere(),
                        "auth",
                        "nobody could call: give at least one of auth.keys and auth.jwt"))));
    }

    private Config accepted(String yaml, Map<String, String> environment) throws IOException {
        return switch (load(yaml, environment)) {
            case ConfigResult.Accepted accepted -> accepted.config();
            case ConfigResult.Refused refused -> throw new AssertionError(refused.errors());
        };
    }

    private List<String> errors(String yaml, Map<String, String> environment) throws IOException {
        return switch (load(yaml, environment)) {
            case ConfigResult.Accepted accepted -> throw new AssertionError("accepted: " + Arrays.asList(yaml));
            case ConfigResult.Refused refused ->
                refused.errors().stream()
                        .map(error -> error.toString().replace(directory.resolve("nonbis.yaml") + ":", ""))
                        .toList();
        };
    }

    private ConfigResult load(String yaml, Map<String, String> environment) throws IOException {
        var file = directory.resolve("nonbis.yaml");
        Files.writeString(file, yaml);
        return ConfigLoader.load(Optional.of(file), environment);
    }
}
