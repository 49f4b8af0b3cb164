package dev.nonbis.server.api;

import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.server.Envelopes;
import dev.nonbis.server.policy.cel.CelPolicy;
import dev.nonbis.server.policy.cel.PolicyReader;
import dev.nonbis.testkit.store.MemoryBackend;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A plane with a policy on payments, and envelopes to send to it. */
final class PaymentPlane {

    static final String POLICY = """
            payments:
              default: deny
              rules:
                - {id: small, when: 'amount_usd <= 0.50 && provider.status == "trusted"', verdict: allow}
                - {id: ask, when: 'amount_usd <= 100 && payment.intent == "pay_compute_job"', verdict: require_approval}
                - {id: risky, when: 'payment.risk_class == "critical"', verdict: deny, deny_code: too.risky}
            agents:
              - {id: research-agent-01, status: active}
              - {id: paused-agent, status: paused}
              - {id: revoked-agent, status: revoked}
              - {id: stopped-agent, status: active}
              - {id: only-submitter, status: active}
            providers:
              - {id: api.example, url: "https://api.example.com", status: trusted}
              - {id: bad.example, url: "https://bad.example.com", status: blocked}
              - {id: part.example, url: "https://part.example.com/v1", status: trusted}
            recipients:
              - {address: "0x1111111111111111111111111111111111111111", chain: base, status: allowed}
              - {address: "0x2222222222222222222222222222222222222222", chain: base, status: blocked}
            budgets:
              - {agent: research-agent-01, scope: day, cap_usd: "1.00"}
              - {agent: research-agent-01, scope: month, cap_usd: "20.00"}
            emergency: {freeze_all: false, paused_agents: [stopped-agent]}
            """;

    final SwitchedPolicy policy = new SwitchedPolicy(policy(POLICY));
    final TestPlane plane;

    PaymentPlane() {
        this(Settings.DEFAULTS);
    }

    PaymentPlane(Settings settings) {
        plane = new TestPlane(new DirectStore(new MemoryBackend()), policy, settings);
    }

    static CelPolicy policy(String yaml) {
        var read = new PolicyReader().read(Path.of("policy.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
        return switch (read) {
            case PolicyReader.Result.Accepted(var document) -> new CelPolicy(Map.of(), Optional.of(document));
            case PolicyReader.Result.Refused(var complaints) -> throw new AssertionError(complaints.toString());
        };
    }

    TestPlane.Answer submit(String key, Envelopes envelope) {
        return plane.post("/v1/payment-requests").key(key).body(envelope.json()).send();
    }

    Envelopes envelope() {
        return Envelopes.valid(plane.clock.instant().plus(Duration.ofMinutes(5)));
    }

    Instant now() {
        return plane.clock.instant();
    }
}
