package dev.nonbis.server.config;

import dev.nonbis.server.config.Config.Durability;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Every entry there is. What is not listed here is refused, in the file and in the environment. */
final class Entries {

    static final Entry<String> HTTP_HOST = new Entry<>("http.host", Values::host);
    static final Entry<Integer> HTTP_PORT = new Entry<>("http.port", Values::port);
    static final Entry<Path> TLS_CERT = new Entry<>("http.tls.cert", Values::readableFile);
    static final Entry<Path> TLS_KEY = new Entry<>("http.tls.key", Values::readableFile);
    static final Entry<AddressRange> TRUSTED_PROXIES = new Entry<>("http.trusted_proxies[]", Values::addressRange);
    static final Entry<Integer> MAX_CONNECTIONS =
            new Entry<>("http.limits.max_connections", Values.between(1, 1_000_000));
    static final Entry<Integer> MAX_UNAUTHENTICATED =
            new Entry<>("http.limits.max_unauthenticated_per_address", Values.between(1, 1_000_000));
    static final Entry<Integer> MIN_BYTES_PER_SECOND =
            new Entry<>("http.limits.min_bytes_per_second", Values.between(1, 1 << 20));
    static final Entry<Integer> MAX_BODY_BYTES =
            new Entry<>("http.limits.max_body_bytes", Values.between(1024, 1 << 20));
    static final Entry<Integer> MAX_HEADER_BYTES =
            new Entry<>("http.limits.max_header_bytes", Values.between(1024, 1 << 20));
    static final Entry<Duration> HEADER_TIMEOUT = new Entry<>("http.limits.header_timeout", Values::duration);
    static final Entry<Duration> BODY_TIMEOUT = new Entry<>("http.limits.body_timeout", Values::duration);
    static final Entry<Duration> IDLE_TIMEOUT = new Entry<>("http.limits.idle_timeout", Values::duration);
    static final Entry<Duration> DRAIN_TIMEOUT = new Entry<>("http.limits.drain_timeout", Values::duration);
    static final Entry<String> MANAGEMENT_HOST = new Entry<>("management.host", Values::host);
    static final Entry<Integer> MANAGEMENT_PORT = new Entry<>("management.port", Values::port);
    static final Entry<StoreUrl> STORE_URL = new Entry<>("store.url", Values::storeUrl);
    static final Entry<BusUrl> BUS_URL = new Entry<>("bus.url", Values::busUrl);
    static final Entry<Path> BUS_CREDENTIALS = new Entry<>("bus.credentials", Values::readableFile);
    static final Entry<Path> BUS_TLS_CA = new Entry<>("bus.tls.ca", Values::readableFile);
    static final Entry<Path> BUS_TLS_CERT = new Entry<>("bus.tls.cert", Values::readableFile);
    static final Entry<Path> BUS_TLS_KEY = new Entry<>("bus.tls.key", Values::readableFile);
    static final Entry<Integer> BUS_REPLICAS = new Entry<>("bus.replicas", Values.between(1, 5));
    static final Entry<BusUrl.Dedup> BUS_DEDUP = new Entry<>("bus.dedup", Values::dedup);
    static final Entry<String> BUS_INBOX_PREFIX = new Entry<>("bus.inbox_prefix", Values::inbox);
    static final Entry<List<String>> BUS_API_URL = new Entry<>("bus.api.url", Values::brokers);
    static final Entry<Path> BUS_API_CREDENTIALS = new Entry<>("bus.api.credentials", Values::readableFile);
    static final Entry<String> BUS_API_INBOXES = new Entry<>("bus.api.inboxes[]", Values::inboxOfCallers);
    static final Entry<String> KEY_SUBJECT = new Entry<>("auth.keys[].subject", Values::subject);
    static final Entry<String> KEY_TENANT = new Entry<>("auth.keys[].tenant", Values::tenant);
    static final Entry<String> KEY_ROLES = new Entry<>("auth.keys[].roles[]", Values::role);
    static final Entry<String> KEY_SHA256 = new Entry<>("auth.keys[].sha256", Values::sha256);
    static final Entry<Path> JWKS_FILE = new Entry<>("auth.jwt.jwks_file", Values::readableFile);
    static final Entry<String> JWT_ISSUER = new Entry<>("auth.jwt.issuer", Values::text);
    static final Entry<String> JWT_AUDIENCE = new Entry<>("auth.jwt.audience", Values::text);
    static final Entry<URI> OIDC_ISSUER = new Entry<>("auth.oidc.issuer", Values::webUrl);
    static final Entry<String> OIDC_CLIENT_ID = new Entry<>("auth.oidc.client_id", Values::text);
    static final Entry<String> OIDC_CLIENT_SECRET = new Entry<>("auth.oidc.client_secret", Values::secret);
    static final Entry<URI> OIDC_REDIRECT_URL = new Entry<>("auth.oidc.redirect_url", Values::webUrl);
    static final Entry<String> OIDC_SCOPES = new Entry<>("auth.oidc.scopes[]", Values::text);
    static final Entry<String> OIDC_SUBJECT_CLAIM = new Entry<>("auth.oidc.subject_claim", Values::text);
    static final Entry<String> OIDC_TENANT = new Entry<>("auth.oidc.tenant", Values::tenant);
    static final Entry<String> OIDC_TENANT_CLAIM = new Entry<>("auth.oidc.tenant_claim", Values::text);
    static final Entry<String> OIDC_ROLES_CLAIM = new Entry<>("auth.oidc.roles_claim", Values::text);
    static final Entry<String> OIDC_ROLE_VALUE = new Entry<>("auth.oidc.roles[].value", Values::text);
    static final Entry<String> OIDC_ROLE = new Entry<>("auth.oidc.roles[].role", Values::role);
    static final Entry<Duration> OIDC_SESSION_LIFETIME = new Entry<>("auth.oidc.session_lifetime", Values::duration);
    static final Entry<Path> POLICY_FILE = new Entry<>("policy.file", Values::readableFileOrDirectory);
    static final Entry<Path> TOPICS_FILE = new Entry<>("topics.file", Values::readableFile);
    static final Entry<Path> SIGNING_KEYS_FILE = new Entry<>("signing.keys_file", Values::path);
    static final Entry<Optional<Duration>> RETENTION_JOBS =
            new Entry<>("idempotency.retention.jobs", Values::durationOrNone);
    static final Entry<Optional<Duration>> RETENTION_RUNS =
            new Entry<>("idempotency.retention.runs", Values::durationOrNone);
    static final Entry<Optional<Duration>> RETENTION_PAYMENTS =
            new Entry<>("idempotency.retention.payments", Values::durationOrNone);
    static final Entry<String> KEY_REQUIRED = new Entry<>("idempotency.required[]", Values::operation);
    static final Entry<Duration> APPROVALS_EXPIRE_AFTER = new Entry<>("approvals.expire_after", Values::duration);
    static final Entry<Boolean> APPROVALS_ALLOW_SELF = new Entry<>("approvals.allow_self", Values::bool);
    static final Entry<Boolean> WEBHOOKS_ALLOW_PRIVATE = new Entry<>("webhooks.allow_private", Values::bool);
    static final Entry<URI> TRACING_OTLP_URL = new Entry<>("tracing.otlp_url", Values::webUrl);
    static final Entry<String> TRACING_AUTHORIZATION = new Entry<>("tracing.authorization", Values::secret);
    static final Entry<String> TRACING_SERVICE_NAME = new Entry<>("tracing.service_name", Values::text);
    static final Entry<Integer> TRACING_SAMPLE_PERCENT = new Entry<>("tracing.sample_percent", Values.between(0, 100));
    static final Entry<Config.Logs.Format> LOGS_FORMAT = new Entry<>("logs.format", Values::logFormat);
    static final Entry<Config.Logs.Requests> LOGS_REQUESTS = new Entry<>("logs.requests", Values::loggedRequests);
    static final Entry<Integer> MAX_CONCURRENT_RUNS =
            new Entry<>("limits.*.max_concurrent_runs", Values.between(0, 1_000_000));
    static final Entry<Durability> DURABILITY = new Entry<>("durability", Values::durability);

    static final List<Entry<?>> ALL = List.of(
            HTTP_HOST,
            HTTP_PORT,
            TLS_CERT,
            TLS_KEY,
            TRUSTED_PROXIES,
            MAX_CONNECTIONS,
            MAX_UNAUTHENTICATED,
            MIN_BYTES_PER_SECOND,
            MAX_BODY_BYTES,
            MAX_HEADER_BYTES,
            HEADER_TIMEOUT,
            BODY_TIMEOUT,
            IDLE_TIMEOUT,
            DRAIN_TIMEOUT,
            MANAGEMENT_HOST,
            MANAGEMENT_PORT,
            STORE_URL,
            BUS_URL,
            BUS_CREDENTIALS,
            BUS_TLS_CA,
            BUS_TLS_CERT,
            BUS_TLS_KEY,
            BUS_REPLICAS,
            BUS_DEDUP,
            BUS_INBOX_PREFIX,
            BUS_API_URL,
            BUS_API_CREDENTIALS,
            BUS_API_INBOXES,
            KEY_SUBJECT,
            KEY_TENANT,
            KEY_ROLES,
            KEY_SHA256,
            JWKS_FILE,
            JWT_ISSUER,
            JWT_AUDIENCE,
            OIDC_ISSUER,
            OIDC_CLIENT_ID,
            OIDC_CLIENT_SECRET,
            OIDC_REDIRECT_URL,
            OIDC_SCOPES,
            OIDC_SUBJECT_CLAIM,
            OIDC_TENANT,
            OIDC_TENANT_CLAIM,
            OIDC_ROLES_CLAIM,
            OIDC_ROLE_VALUE,
            OIDC_ROLE,
            OIDC_SESSION_LIFETIME,
            POLICY_FILE,
            TOPICS_FILE,
            SIGNING_KEYS_FILE,
            RETENTION_JOBS,
            RETENTION_RUNS,
            RETENTION_PAYMENTS,
            KEY_REQUIRED,
            APPROVALS_EXPIRE_AFTER,
            APPROVALS_ALLOW_SELF,
            WEBHOOKS_ALLOW_PRIVATE,
            TRACING_OTLP_URL,
            TRACING_AUTHORIZATION,
            TRACING_SERVICE_NAME,
            TRACING_SAMPLE_PERCENT,
            LOGS_FORMAT,
            LOGS_REQUESTS,
            MAX_CONCURRENT_RUNS,
            DURABILITY);

    private Entries() {}
}
