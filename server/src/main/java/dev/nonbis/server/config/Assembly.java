package dev.nonbis.server.config;

import static dev.nonbis.server.config.Entries.*;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Puts the written values and the defaults together, noting every error. Its result counts only when there was none. */
final class Assembly {

    private static final Config DEFAULTS = Config.defaults();

    private final Written written;
    private final Optional<Path> file;

    Assembly(Written written, Optional<Path> file) {
        this.written = written;
        this.file = file;
    }

    Config config() {
        return new Config(
                http(),
                new Config.Management(
                        or(MANAGEMENT_HOST, DEFAULTS.management().host()),
                        or(MANAGEMENT_PORT, DEFAULTS.management().port())),
                or(STORE_URL, DEFAULTS.store()),
                bus(),
                auth(),
                value(POLICY_FILE),
                value(TOPICS_FILE),
                value(SIGNING_KEYS_FILE),
                idempotency(),
                new Config.Approvals(
                        or(APPROVALS_EXPIRE_AFTER, DEFAULTS.approvals().expireAfter()),
                        or(APPROVALS_ALLOW_SELF, DEFAULTS.approvals().allowSelf())),
                new Config.Webhooks(
                        or(WEBHOOKS_ALLOW_PRIVATE, DEFAULTS.webhooks().allowPrivate())),
                observation(),
                tenantLimits(),
                or(DURABILITY, DEFAULTS.durability()));
    }

    private BusUrl bus() {
        var options = List.<Entry<?>>of(
                BUS_CREDENTIALS,
                BUS_TLS_CA,
                BUS_TLS_CERT,
                BUS_TLS_KEY,
                BUS_REPLICAS,
                BUS_DEDUP,
                BUS_INBOX_PREFIX,
                BUS_API_URL,
                BUS_API_CREDENTIALS);
        return switch (or(BUS_URL, DEFAULTS.bus())) {
            case BusUrl.Nats(var servers, var defaults) ->
                new BusUrl.Nats(
                        servers,
                        new BusUrl.NatsOptions(
                                value(BUS_CREDENTIALS),
                                brokerTls(),
                                or(BUS_REPLICAS, defaults.replicas()),
                                or(BUS_DEDUP, defaults.dedup()),
                                or(BUS_INBOX_PREFIX, defaults.inboxPrefix()),
                                natsApi(defaults.api())));
            case BusUrl.Embedded embedded -> {
                for (var option : options) {
                    written.scalar(option.path())
                            .ifPresent(scalar -> written.error(
                                    scalar.place(), option.path(), "only a bus.url of nats:// or tls:// has this"));
                }
                yield embedded;
            }
        };
    }

    private BusUrl.NatsApiOptions natsApi(BusUrl.NatsApiOptions defaults) {
        var inboxes = values(BUS_API_INBOXES, "bus.api.inboxes");
        return new BusUrl.NatsApiOptions(
                or(BUS_API_URL, defaults.servers()),
                value(BUS_API_CREDENTIALS),
                inboxes.isEmpty() ? defaults.inboxes() : List.copyOf(inboxes));
    }

    private Optional<BusUrl.BrokerTls> brokerTls() {
        if (!isWritten("bus.tls", List.of(BUS_TLS_CA, BUS_TLS_CERT, BUS_TLS_KEY))) {
            return Optional.empty();
        }
        var cert = value(BUS_TLS_CERT);
        var key = value(BUS_TLS_KEY);
        if (cert.isPresent() != key.isPresent()) {
            required(BUS_TLS_CERT, "bus.tls");
            required(BUS_TLS_KEY, "bus.tls");
        }
        return Optional.of(new BusUrl.BrokerTls(value(BUS_TLS_CA), cert, key));
    }

    private Config.Http http() {
        var limits = DEFAULTS.http().limits();
        return new Config.Http(
                or(HTTP_HOST, DEFAULTS.http().host()),
                or(HTTP_PORT, DEFAULTS.http().port()),
                tls(),
                List.copyOf(values(TRUSTED_PROXIES, "http.trusted_proxies")),
                new Config.HttpLimits(
                        or(MAX_CONNECTIONS, limits.maxConnections()),
                        or(MAX_UNAUTHENTICATED, limits.maxUnauthenticatedPerAddress()),
                        or(MIN_BYTES_PER_SECOND, limits.minBytesPerSecond()),
                        or(MAX_BODY_BYTES, limits.maxBodyBytes()),
                        or(MAX_HEADER_BYTES, limits.maxHeaderBytes()),
                        or(HEADER_TIMEOUT, limits.headerTimeout()),
                        or(BODY_TIMEOUT, limits.bodyTimeout()),
                        or(IDLE_TIMEOUT, limits.idleTimeout()),
                        or(DRAIN_TIMEOUT, limits.drainTimeout())));
    }

    private Optional<Config.Tls> tls() {
        if (!isWritten("http.tls", List.of(TLS_CERT, TLS_KEY))) {
            return Optional.empty();
        }
        var cert = required(TLS_CERT, "http.tls");
        var key = required(TLS_KEY, "http.tls");
        return cert.isPresent() && key.isPresent()
                ? Optional.of(new Config.Tls(cert.get(), key.get()))
                : Optional.empty();
    }

    private Config.Auth auth() {
        var keys = new ArrayList<Config.ApiKey>();
        var paths = written.items("auth.keys");
        paths.forEach(path -> apiKey(path).ifPresent(keys::add));
        refuseRepeatedHashes(paths);
        var auth = new Config.Auth(keys, jwt(), oidc());
        if (paths.isEmpty() && !isWritten("auth.jwt", List.of(JWKS_FILE, JWT_ISSUER, JWT_AUDIENCE))) {
            written.error(
                    written.parent("auth").orElse(fileOrNowhere()),
                    "auth",
                    "nobody could call: give at least one of auth.keys and auth.jwt");
        }
        return auth;
    }

    private Optional<Config.ApiKey> apiKey(String path) {
        var subject = required(KEY_SUBJECT.at(path + ".subject"), path);
        var tenant = required(KEY_TENANT.at(path + ".tenant"), path);
        var roles = values(KEY_ROLES, path + ".roles");
        if (written.items(path + ".roles").isEmpty()) {
            written.error(
                    written.parent(path).orElse(fileOrNowhere()),
                    path + ".roles",
                    "missing: give at least one of " + String.join(", ", Values.ROLES));
        }
        var sha256 = required(KEY_SHA256.at(path + ".sha256"), path);
        return subject.isPresent() && tenant.isPresent() && sha256.isPresent()
                ? Optional.of(new Config.ApiKey(subject.get(), tenant.get(), roles, sha256.get()))
                : Optional.empty();
    }

    /** One token cannot stand for two callers. */
    private void refuseRepeatedHashes(List<String> keyPaths) {
        var firstByHash = new HashMap<String, String>();
        for (var path : keyPaths) {
            var scalar = written.scalar(path + ".sha256");
            var hash = scalar.flatMap(Assembly::hashOf);
            if (hash.isPresent()) {
                var first = firstByHash.putIfAbsent(hash.get(), path);
                if (first != null) {
                    written.error(scalar.get().place(), path + ".sha256", "the same token as " + first);
                }
            }
        }
    }

    private static Optional<String> hashOf(Scalar scalar) {
        try {
            return Optional.of(Values.sha256(scalar));
        } catch (BadValue alreadyReported) {
            return Optional.empty();
        }
    }

    private Optional<Config.Jwt> jwt() {
        if (!isWritten("auth.jwt", List.of(JWKS_FILE, JWT_ISSUER, JWT_AUDIENCE))) {
            return Optional.empty();
        }
        var jwksFile = required(JWKS_FILE, "auth.jwt");
        var issuer = required(JWT_ISSUER, "auth.jwt");
        var audience = required(JWT_AUDIENCE, "auth.jwt");
        return jwksFile.isPresent() && issuer.isPresent() && audience.isPresent()
                ? Optional.of(new Config.Jwt(jwksFile.get(), issuer.get(), audience.get()))
                : Optional.empty();
    }

    private Config.Observation observation() {
        var logs = DEFAULTS.observation().logs();
        return new Config.Observation(
                tracing(), new Config.Logs(or(LOGS_FORMAT, logs.format()), or(LOGS_REQUESTS, logs.requests())));
    }

    private Optional<Config.Tracing> tracing() {
        var options = List.<Entry<?>>of(TRACING_AUTHORIZATION, TRACING_SERVICE_NAME, TRACING_SAMPLE_PERCENT);
        if (!isWritten("tracing", options) && value(TRACING_OTLP_URL).isEmpty()) {
            return Optional.empty();
        }
        return required(TRACING_OTLP_URL, "tracing")
                .map(url -> new Config.Tracing(
                        url,
                        value(TRACING_AUTHORIZATION),
                        or(TRACING_SERVICE_NAME, "nonbis"),
                        or(TRACING_SAMPLE_PERCENT, 100)));
    }

    private Optional<Config.Oidc> oidc() {
        if (!isWritten("auth.oidc", List.of(OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_REDIRECT_URL))) {
            return Optional.empty();
        }
        var issuer = required(OIDC_ISSUER, "auth.oidc");
        var client = required(OIDC_CLIENT_ID, "auth.oidc");
        var redirect = required(OIDC_REDIRECT_URL, "auth.oidc");
        var tenant = value(OIDC_TENANT);
        var tenantClaim = value(OIDC_TENANT_CLAIM);
        if (tenant.isPresent() == tenantClaim.isPresent()) {
            written.error(
                    written.parent("auth.oidc").orElse(fileOrNowhere()),
                    "auth.oidc",
                    "whose tenant is it? give one of tenant and tenant_claim");
        }
        var scopes = values(OIDC_SCOPES, "auth.oidc.scopes");
        scopes.add("openid");
        var claims = new Config.OidcClaims(
                or(OIDC_SUBJECT_CLAIM, "sub"), tenant, tenantClaim, or(OIDC_ROLES_CLAIM, "roles"), rolesByValue());
        return issuer.isPresent() && client.isPresent() && redirect.isPresent()
                ? Optional.of(new Config.Oidc(
                        issuer.get(),
                        client.get(),
                        value(OIDC_CLIENT_SECRET),
                        redirect.get(),
                        scopes,
                        claims,
                        or(OIDC_SESSION_LIFETIME, Duration.ofHours(8))))
                : Optional.empty();
    }

    private Map<String, Set<String>> rolesByValue() {
        var roles = new HashMap<String, Set<String>>();
        for (var path : written.items("auth.oidc.roles")) {
            var value = required(OIDC_ROLE_VALUE.at(path + ".value"), path);
            var role = required(OIDC_ROLE.at(path + ".role"), path);
            if (value.isPresent() && role.isPresent()) {
                roles.computeIfAbsent(value.get(), any -> new LinkedHashSet<>()).add(role.get());
            }
        }
        return roles;
    }

    private Config.Idempotency idempotency() {
        var retention = DEFAULTS.idempotency().retention();
        return new Config.Idempotency(
                new Config.Retention(
                        or(RETENTION_JOBS, retention.jobs()),
                        or(RETENTION_RUNS, retention.runs()),
                        or(RETENTION_PAYMENTS, retention.payments())),
                written.parent("idempotency.required").isPresent()
                        ? values(KEY_REQUIRED, "idempotency.required")
                        : DEFAULTS.idempotency().required());
    }

    private Map<String, Config.TenantLimits> tenantLimits() {
        var limits = new LinkedHashMap<String, Config.TenantLimits>();
        for (var tenant : written.names("limits")) {
            var path = "limits." + tenant;
            var entry = MAX_CONCURRENT_RUNS.at(path + ".max_concurrent_runs");
            var place = written.parent(path)
                    .or(() -> written.scalar(entry.path()).map(Scalar::place))
                    .orElse(fileOrNowhere());
            read(new Entry<>(path, Values::tenant), new Scalar(tenant, place, Path.of("")));
            limits.put(tenant, new Config.TenantLimits(value(entry)));
        }
        return limits;
    }

    private boolean isWritten(String group, List<Entry<?>> members) {
        return written.parent(group).isPresent()
                || members.stream()
                        .anyMatch(entry -> written.scalar(entry.path()).isPresent());
    }

    private <T> T or(Entry<T> entry, T fallback) {
        return value(entry).orElse(fallback);
    }

    private <T> Optional<T> value(Entry<T> entry) {
        return written.scalar(entry.path()).flatMap(scalar -> read(entry, scalar));
    }

    private <T> Set<T> values(Entry<T> entry, String list) {
        var read = new LinkedHashSet<T>();
        for (var path : written.items(list)) {
            value(entry.at(path)).ifPresent(read::add);
        }
        return read;
    }

    private <T> Optional<T> required(Entry<T> entry, String group) {
        // An entry that was written badly has its own error already.
        if (written.scalar(entry.path()).isEmpty()
                && written.parent(entry.path()).isEmpty()) {
            written.error(written.parent(group).orElse(fileOrNowhere()), entry.path(), "missing");
        }
        return value(entry);
    }

    private <T> Optional<T> read(Entry<T> entry, Scalar scalar) {
        try {
            return Optional.of(entry.reader().read(scalar));
        } catch (BadValue bad) {
            written.error(scalar.place(), entry.path(), bad.reason());
            return Optional.empty();
        }
    }

    private Place fileOrNowhere() {
        return file.<Place>map(path -> new Place.InFile(path, 1, 1)).orElseGet(Place.Nowhere::new);
    }
}
