package dev.nonbis.server.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Everything an operator decided, checked and complete. A server is started from one of these and nothing else. */
public record Config(
        Http http,
        Management management,
        StoreUrl store,
        BusUrl bus,
        Auth auth,
        Optional<Path> policyFile,
        Optional<Path> topicsFile,
        Optional<Path> signingKeysFile,
        Idempotency idempotency,
        Approvals approvals,
        Webhooks webhooks,
        Observation observation,
        Map<String, TenantLimits> limits,
        Durability durability) {

    public Config {
        limits = Map.copyOf(limits);
    }

    /** The values that hold when nothing is configured. It has no credentials, so a server needs {@link #withAuth} first. */
    public static Config defaults() {
        return Defaults.CONFIG;
    }

    /**
     * What webhooks may do.
     *
     * @param allowPrivate whether they may call private addresses and plain HTTP
     */
    public record Webhooks(boolean allowPrivate) {}

    /** What can be seen of the server from outside, besides metrics. */
    public record Observation(Optional<Tracing> tracing, Logs logs) {}

    /**
     * Where spans go.
     *
     * @param otlpUrl takes OTLP over HTTP
     * @param authorization the header that the collector asks for
     * @param samplePercent how many of the traces that begin here are written
     */
    public record Tracing(URI otlpUrl, Optional<String> authorization, String serviceName, int samplePercent) {}

    /** How the log is written, and which requests are told of. */
    public record Logs(Format format, Requests requests) {

        /** How a line looks. */
        public enum Format {
            TEXT,
            JSON
        }

        /** Which requests have a line. */
        public enum Requests {
            NONE,
            /** Those that were answered with a status of 500 or more. */
            FAILED,
            ALL
        }
    }

    /** The listener for the API and the UI. */
    public record Http(String host, int port, Optional<Tls> tls, List<AddressRange> trustedProxies, HttpLimits limits) {
        public Http {
            trustedProxies = List.copyOf(trustedProxies);
        }
    }

    /** The certificate chain and private key, both PEM files. */
    public record Tls(Path cert, Path key) {}

    /** What one client may take of the listener before it is cut off. */
    public record HttpLimits(
            int maxConnections,
            int maxUnauthenticatedPerAddress,
            int minBytesPerSecond,
            int maxBodyBytes,
            int maxHeaderBytes,
            Duration headerTimeout,
            Duration bodyTimeout,
            Duration idleTimeout,
            Duration drainTimeout) {}

    /** The listener for metrics and health. */
    public record Management(String host, int port) {}

    /** Who may call: API keys by their hash, and JWTs when configured; and who may sign in to the console besides. */
    public record Auth(List<ApiKey> keys, Optional<Jwt> jwt, Optional<Oidc> oidc) {
        public Auth {
            keys = List.copyOf(keys);
        }

        public Auth(List<ApiKey> keys, Optional<Jwt> jwt) {
            this(keys, jwt, Optional.empty());
        }

        public boolean nobodyMayCall() {
            return keys.isEmpty() && jwt.isEmpty();
        }
    }

    /** One credential; {@code sha256} is the lowercase hex digest of the token, which itself is never stored. */
    public record ApiKey(String subject, String tenant, Set<String> roles, String sha256) {
        public ApiKey {
            roles = Set.copyOf(roles);
        }
    }

    /** Whose JWTs are taken. */
    public record Jwt(Path jwksFile, String issuer, String audience) {}

    /**
     * Who vouches for people that sign in to the console.
     *
     * @param redirectUrl where the issuer sends browsers back to, as browsers reach this server
     */
    public record Oidc(
            URI issuer,
            String clientId,
            Optional<String> clientSecret,
            URI redirectUrl,
            Set<String> scopes,
            OidcClaims claims,
            Duration sessionLifetime) {
        public Oidc {
            scopes = Set.copyOf(scopes);
        }
    }

    /**
     * Which of the issuer's claims say what.
     *
     * @param tenant the tenant of everybody; or else {@code tenantClaim} names it
     * @param roles what values of the claim stand for which roles; empty when they are roles themselves
     */
    public record OidcClaims(
            String subject,
            Optional<String> tenant,
            Optional<String> tenantClaim,
            String rolesClaim,
            Map<String, Set<String>> roles) {
        public OidcClaims {
            roles = Map.copyOf(roles);
        }
    }

    /** How long answers are kept, by operation (absent: for ever), and which operations insist on a key. */
    public record Idempotency(Retention retention, Set<String> required) {
        public Idempotency {
            required = Set.copyOf(required);
        }
    }

    /** How long a key's answer is kept; empty means for ever. */
    public record Retention(Optional<Duration> jobs, Optional<Duration> runs, Optional<Duration> payments) {}

    /** The rules of human decisions. */
    public record Approvals(Duration expireAfter, boolean allowSelf) {}

    /** The limits a tenant starts with; a limit set over the API takes precedence. */
    public record TenantLimits(Optional<Integer> maxConcurrentRuns) {}

    /** Whether a store that can lose an acknowledged write is refused. */
    public enum Durability {
        STRICT,
        RELAXED
    }

    public Config withHttp(Http other) {
        return with(new Part(other, management, store, auth, policyFile, observation));
    }

    public Config withManagement(Management other) {
        return with(new Part(http, other, store, auth, policyFile, observation));
    }

    public Config withStore(StoreUrl other) {
        return with(new Part(http, management, other, auth, policyFile, observation));
    }

    public Config withAuth(Auth other) {
        return with(new Part(http, management, store, other, policyFile, observation));
    }

    public Config withObservation(Observation other) {
        return with(new Part(http, management, store, auth, policyFile, other));
    }

    public Config withPolicy(Path file) {
        return with(new Part(http, management, store, auth, Optional.of(file), observation));
    }

    /** What a command may set over a file. */
    private record Part(
            Http http,
            Management management,
            StoreUrl store,
            Auth auth,
            Optional<Path> policyFile,
            Observation observation) {}

    private Config with(Part part) {
        return new Config(
                part.http,
                part.management,
                part.store,
                bus,
                part.auth,
                part.policyFile,
                topicsFile,
                signingKeysFile,
                idempotency,
                approvals,
                webhooks,
                part.observation,
                limits,
                durability);
    }
}
