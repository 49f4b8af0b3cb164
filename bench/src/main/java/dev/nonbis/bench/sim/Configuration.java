package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Promises.Budget;
import dev.nonbis.bench.judge.Promises.Scope;
import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.TopicRules.LostWorker;
import dev.nonbis.core.dispatch.Topics;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.run.Expressions;
import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.Signer;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.http.ApiKeys;
import dev.nonbis.server.http.Authenticator;
import dev.nonbis.server.http.TokenAuthenticator;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.policy.cel.CelExpressions;
import dev.nonbis.server.policy.cel.CelPolicy;
import dev.nonbis.server.policy.cel.PolicyReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What an operator would have configured: short times, so that all of them pass within an hour, and limits that are reached. */
record Configuration(
        Policy policy,
        Expressions expressions,
        Signer signer,
        Settings settings,
        Topics topics,
        Metrics metrics,
        Authenticator authenticator) {

    static final List<String> TENANTS = List.of("acme", "globex");
    static final List<String> AGENTS = List.of("agent-one", "agent-two");
    static final List<String> PROVIDERS = List.of("https://api.example.com", "https://data.example.com");
    // The same as in the policy below; each is reached in most histories.
    static final List<Budget> BUDGETS = List.of(
            new Budget("agent-one", Scope.REQUEST, "", new BigDecimal("0.50")),
            new Budget("agent-one", Scope.MONTH, "", new BigDecimal("1.00")),
            new Budget("agent-two", Scope.DAY, "", new BigDecimal("1.00")),
            new Budget("agent-two", Scope.PROVIDER, "https://data.example.com", new BigDecimal("0.70")));
    static final Map<String, Integer> RUN_LIMITS = Map.of("acme", 3, "globex", 2);
    static final Duration JOB_RETENTION = Duration.ofMinutes(40);
    static final Duration PAYMENT_RETENTION = Duration.ofMinutes(50);

    private static final String POLICY = """
            jobs:
              default: allow
              rules:
                - {id: ask, when: 'job.topic == "job.review"', verdict: require_approval}
                - {id: no, when: 'job.topic == "job.forbidden"', verdict: deny, deny_code: not.here}
                - {id: later, when: 'job.topic == "job.mail"', verdict: throttle, retry_after: 5s}
            payments:
              default: deny
              rules:
                - {id: small, when: 'amount_usd <= 0.60', verdict: allow}
                - {id: ask, when: 'payment.intent == "pay_compute_job"', verdict: require_approval}
            agents:
              - {id: agent-one, status: active}
              - {id: agent-two, status: active}
            providers:
              - {id: api.example, url: "https://api.example.com", status: trusted}
              - {id: data.example, url: "https://data.example.com", status: trusted}
            budgets:
              - {agent: agent-one, scope: request, cap_usd: "0.50"}
              - {agent: agent-one, scope: month, cap_usd: "1.00"}
              - {agent: agent-two, scope: day, cap_usd: "1.00"}
              - {agent: agent-two, scope: provider, provider: data.example, cap_usd: "0.70"}
            """;

    /** The parts that take long to make and never change, for as many simulations as there are. */
    static Configuration usual() {
        var settings = new Settings(
                Map.of(Operation.JOBS, JOB_RETENTION, Operation.PAYMENTS, PAYMENT_RETENTION),
                Map.of(new TenantId("acme"), 3, new TenantId("globex"), 2),
                Duration.ofMinutes(12),
                false);
        return new Configuration(
                policyOf(POLICY),
                new CelExpressions(),
                new KeyRing(KnownKey.make(), List.of()),
                settings,
                Configuration::rules,
                new Metrics(),
                new TokenAuthenticator(List.of(new ApiKeys(keys()))));
    }

    static TopicRules rules(String topic) {
        return switch (topic) {
            case "job.hold" -> new TopicRules(Duration.ofSeconds(60), Duration.ofSeconds(90), 20, LostWorker.HOLD);
            case "job.fragile" -> new TopicRules(Duration.ofSeconds(45), Duration.ofSeconds(60), 3, LostWorker.RETRY);
            default -> new TopicRules(Duration.ofSeconds(90), Duration.ofSeconds(120), 30, LostWorker.RETRY);
        };
    }

    static String token(String tenant, String subject) {
        return "token-of-" + subject + "-of-" + tenant;
    }

    private static CelPolicy policyOf(String yaml) {
        var read = new PolicyReader().read(Path.of("policy.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
        return switch (read) {
            case PolicyReader.Result.Accepted(var document) -> new CelPolicy(Map.of(), Optional.of(document));
            case PolicyReader.Result.Refused(var complaints) ->
                throw new IllegalStateException("the simulation's policy is wrong: " + complaints);
        };
    }

    private static List<ApiKeys.Key> keys() {
        var keys = new ArrayList<ApiKeys.Key>();
        for (var tenant : TENANTS) {
            keys.add(key(tenant, "alice", Role.SUBMITTER));
            keys.add(key(tenant, "arthur", Role.SUBMITTER));
            keys.add(key(tenant, "bob", Role.APPROVER));
            keys.add(key(tenant, "carol", Role.APPROVER));
            keys.add(key(tenant, "wanda", Role.WORKER));
            keys.add(key(tenant, "oscar", Role.OPERATOR));
            keys.add(key(tenant, "root", Role.ADMIN));
        }
        return keys;
    }

    private static ApiKeys.Key key(String tenant, String subject, Role role) {
        return new ApiKeys.Key(
                Sha256.hex(token(tenant, subject).getBytes(StandardCharsets.UTF_8)),
                new Actor(new TenantId(tenant), subject, Set.of(role)));
    }
}
