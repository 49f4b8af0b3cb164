package dev.nonbis.server.policy.cel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.policy.Verdict;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyReaderTest {

    static final String FULL = """
            # What may happen.
            jobs:
              default: allow
              rules:
                - {id: big-refund, when: 'job.topic == "job.refund" && job.input.eur > 100', verdict: require_approval}
                - {id: no-wipe, when: 'job.topic == "job.wipe"', verdict: deny, deny_code: ops.no_wipe}
                - {id: slow, when: 'job.topic == "job.mail"', verdict: throttle, retry_after: 30s}
            payments:
              default: deny
              rules:
                - id: small-api-call
                  when: >-
                    payment.intent == "purchase_api_call" && amount_usd <= 0.50 && provider.status == "trusted"
                  verdict: allow
            agents: [{id: research-agent-01, status: active}]
            providers: [{id: api.example, url: "https://api.example.com", status: trusted}]
            recipients: [{address: "0x1111111111111111111111111111111111111111", chain: base, status: allowed}]
            budgets:
              - {agent: research-agent-01, scope: day, cap_usd: "5.00"}
              - {agent: research-agent-01, scope: provider, provider: api.example, cap_usd: 1.50}
            emergency: {freeze_all: false, paused_agents: []}
            """;

    private static final Path FILE = Path.of("policy.yaml");

    // One for all, because each loads CEL afresh.
    private static final PolicyReader READER = new PolicyReader();

    @Test
    void a_file_is_read_whole() {
        var policy = accepted(FULL);
        assertThat(policy.jobs().rules().stream().map(Rule::verdict))
                .containsExactly(
                        new Verdict.RequireApproval(Optional.of("big-refund")),
                        new Verdict.Deny(Optional.of("no-wipe"), "ops.no_wipe"),
                        new Verdict.Throttle(Optional.of("slow"), Duration.ofSeconds(30)));
        assertThat(policy.jobs().fallback()).isEqualTo(new Verdict.Allow(Optional.empty()));
        assertThat(policy.payments().fallback()).isEqualTo(new Verdict.Deny(Optional.empty(), "policy.default"));
        assertThat(policy.data().agents())
                .containsExactly(new PolicyDocument.Agent("research-agent-01", PolicyDocument.Agent.Status.ACTIVE));
        assertThat(policy.data().budgets())
                .containsExactly(
                        new PolicyDocument.Budget(
                                "research-agent-01",
                                PolicyDocument.Budget.Scope.DAY,
                                Optional.empty(),
                                new BigDecimal("5.00")),
                        new PolicyDocument.Budget(
                                "research-agent-01",
                                PolicyDocument.Budget.Scope.PROVIDER,
                                Optional.of("api.example"),
                                new BigDecimal("1.50")));
        assertThat(policy.data().emergency().freezeAll()).isFalse();
    }

    @Test
    void without_rules_jobs_are_allowed_and_payments_denied() {
        var policy = accepted("emergency: {freeze_all: false}");
        assertThat(policy.jobs().fallback()).isInstanceOf(Verdict.Allow.class);
        assertThat(policy.payments().fallback()).isInstanceOf(Verdict.Deny.class);
    }

    @ParameterizedTest
    @MethodSource
    void a_mistake_is_told_with_its_line(String yaml, String complaint) {
        assertThat(complaints(yaml)).containsExactly("policy.yaml:" + complaint);
    }

    static List<Arguments> a_mistake_is_told_with_its_line() {
        return List.of(
                Arguments.of("", "1:1: the file is empty"),
                Arguments.of("# nothing\n", "1:1: the file is empty"),
                Arguments.of(
                        "jobs: {default: allow}\njbos: {}\n",
                        "2:1: jbos: unknown entry; known here: jobs, payments, agents, providers, recipients, budgets,"
                                + " emergency"),
                Arguments.of(
                        "jobs:\n  default: maybe\n",
                        "2:12: jobs.default: \"maybe\" is not known; give one of allow," + " deny, require_approval"),
                Arguments.of(
                        "jobs:\n  default: throttle\n",
                        "2:12: jobs.default: \"throttle\" is not known; give one of"
                                + " allow, deny, require_approval"),
                Arguments.of("jobs: {default: allow, default: deny}", "1:24: jobs.default: written twice"),
                Arguments.of("jobs: [1]", "1:7: jobs: must be a group of entries: default, rules"),
                Arguments.of("jobs: {rules: {}}", "1:15: jobs.rules: must be a list"),
                Arguments.of(rule("{when: 'true', verdict: allow}"), "3:7: jobs.rules[0].id: missing"),
                Arguments.of(rule("{id: a, verdict: allow}"), "3:7: jobs.rules[0].when: missing"),
                Arguments.of(rule("{id: a, when: 'true'}"), "3:7: jobs.rules[0].verdict: missing"),
                Arguments.of(rule("{id: a, when: , verdict: allow}"), "3:20: jobs.rules[0].when: has no value"),
                Arguments.of(
                        rule("{id: a b, when: 'true', verdict: allow}"),
                        "3:12: jobs.rules[0].id: must be 1 to 64 letters, digits, ., _ and -, and start with a letter or"
                                + " digit"),
                Arguments.of(
                        rule("{id: a, when: 'true', verdict: allow}\n    - {id: a, when: 'true', verdict: deny}"),
                        "4:12: jobs.rules[1].id: another rule of this section has the same id"),
                Arguments.of(
                        rule("{id: a, when: 'jbo.topic == \"x\"', verdict: allow}"),
                        "3:21: jobs.rules[0].when: not a condition: 1:1: undeclared reference to 'jbo' (in container"
                                + " '')"),
                Arguments.of(
                        rule("{id: a, when: '1 + 1', verdict: allow}"),
                        "3:21: jobs.rules[0].when: must give true or false, but gives int"),
                Arguments.of(
                        rule("{id: a, when: '" + "(".repeat(50) + "true" + ")".repeat(50) + "', verdict: allow}"),
                        "3:21: jobs.rules[0].when: not a condition: 1:1: Expression recursion limit exceeded. limit: 32"),
                Arguments.of(
                        rule("{id: a, when: 'true', verdict: allow, deny_code: x}"),
                        "3:56: jobs.rules[0].deny_code: goes with verdict deny only"),
                Arguments.of(
                        rule("{id: a, when: 'true', verdict: deny, retry_after: 1s}"),
                        "3:57: jobs.rules[0].retry_after: goes with verdict throttle only"),
                Arguments.of(
                        rule("{id: a, when: 'true', verdict: throttle, retry_after: soon}"),
                        "3:61: jobs.rules[0].retry_after: \"soon\" is not a time to wait: give a whole number and ms, s,"
                                + " m or h, as in 30s, up to 24h"),
                Arguments.of(
                        "payments:\n  rules:\n    - {id: a, when: 'true', verdict: throttle}",
                        "3:38: payments.rules[0].verdict: \"throttle\" is not known; give one of allow, deny,"
                                + " require_approval"),
                Arguments.of(
                        "agents: [{id: Agent, status: active}]",
                        "1:15: agents[0].id: must match [a-z0-9][a-z0-9_-]{2,63}"),
                Arguments.of(
                        "agents: [{id: agent, status: asleep}]",
                        "1:30: agents[0].status: \"asleep\" is not known; give one of active, paused, revoked"),
                Arguments.of(
                        "agents:\n- {id: agent, status: active}\n- {id: agent, status: paused}",
                        "3:8: agents[1].id: is there twice"),
                Arguments.of(
                        "providers: [{id: p, url: 'http://p.example', status: trusted}]",
                        "1:26: providers[0].url: must be an https URL of at most 2048 characters"),
                Arguments.of(
                        "recipients: [{address: '0x12', chain: base, status: allowed}]",
                        "1:24: recipients[0].address: must be 0x and 40 hex digits"),
                Arguments.of(
                        "budgets: [{agent: nobody, scope: day, cap_usd: '5'}]",
                        "1:19: budgets[0].agent: \"nobody\" is not one of agents"),
                Arguments.of(
                        "agents: [{id: agent, status: active}]\nbudgets: [{agent: agent, scope: day, cap_usd: 1e3}]",
                        "2:47: budgets[0].cap_usd: must be an amount such as \"5.00\": digits, and up to 18 of them after"
                                + " the point"),
                Arguments.of(
                        "agents: [{id: agent, status: active}]\nbudgets: [{agent: agent, scope: provider, cap_usd: 1}]",
                        "2:11: budgets[0].provider: missing"),
                Arguments.of(
                        "emergency: {freeze_all: yes}",
                        "1:25: emergency.freeze_all: \"yes\" is not known; give one of true, false"),
                Arguments.of("jobs: \"\\u", "1:1: not YAML: For input string: \"\" under radix 16"),
                Arguments.of("jobs: {", "1:8: not YAML: expected the node content, but found '<stream end>'"));
    }

    @Test
    void all_mistakes_are_told_at_once_in_the_order_of_the_file() {
        var complaints = complaints("""
                emergency: {frozen: true}
                jobs:
                  default: perhaps
                  rules:
                    - {id: a, when: 'job.', verdict: allow}
                    - {id: b, when: 'true', verdict: alow}
                agents: [{id: agent}]
                """);
        assertThat(complaints.stream().map(text -> text.substring(0, text.indexOf(' '))))
                .containsExactly(
                        "policy.yaml:1:13:",
                        "policy.yaml:3:12:",
                        "policy.yaml:5:21:",
                        "policy.yaml:6:38:",
                        "policy.yaml:7:10:");
    }

    @Test
    void a_file_that_is_not_text_or_too_large_is_refused() {
        assertThat(READER.read(FILE, new byte[] {(byte) 0xff}))
                .isEqualTo(new PolicyReader.Result.Refused(List.of(new Complaint(FILE, 1, 1, "", "not UTF-8"))));
        assertThat(READER.read(FILE, new byte[PolicyReader.MAX_BYTES + 1]))
                .isInstanceOf(PolicyReader.Result.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Comments, white space, quotes, order of members and defaults that are said or not.
                "jobs: {default: allow, rules: [{id: a, when: 'job.topic == \"job.x\"', verdict: deny}]}",
                "jobs:\n  rules:\n  - verdict: deny # no\n    when: job.topic == \"job.x\"\n    id: \"a\"\n",
                "payments: {}\nemergency: {paused_agents: []}\njobs: {rules: [{deny_code: policy.rule, verdict: deny,"
                        + " when: ' job.topic == \"job.x\" ', id: a}]}",
            })
    void a_policy_that_means_the_same_has_the_same_hash(String yaml) {
        assertThat(accepted(yaml).hash())
                .isEqualTo(accepted("jobs: {rules: [{id: a, when: 'job.topic == \"job.x\"', verdict: deny}]}")
                        .hash())
                .matches("[0-9a-f]{64}");
    }

    @Test
    void amounts_and_addresses_have_one_spelling_in_the_hash() {
        assertThat(accepted(FULL.replace("\"5.00\"", "5").replace("cap_usd: 1.50", "cap_usd: \"1.5\""))
                        .hash())
                .isEqualTo(accepted(FULL).hash());
        var address = "0xABCDEF1111111111111111111111111111111111";
        assertThat(accepted("recipients: [{address: '" + address + "', chain: base, status: allowed}]")
                        .hash())
                .isEqualTo(accepted("recipients: [{address: '"
                                + address.toLowerCase(java.util.Locale.ROOT).replace("0X", "0x")
                                + "', chain: base, status: allowed}]")
                        .hash());
    }

    @Test
    void a_policy_that_means_something_else_has_another_hash() {
        var changes = List.of(
                "default: allow|default: deny",
                "eur > 100|eur > 101",
                "big-refund|large-refund",
                "verdict: require_approval|verdict: allow",
                "ops.no_wipe|ops.no_wiping",
                "30s|31s",
                "status: active|status: paused",
                "status: trusted|status: blocked",
                "chain: base|chain: eth",
                "\"5.00\"|\"5.01\"",
                "scope: day|scope: month",
                "freeze_all: false|freeze_all: true",
                "paused_agents: []|paused_agents: [some-agent]");
        var hashes = changes.stream()
                .map(change -> change.split("\\|"))
                .map(change -> accepted(FULL.replace(change[0], change[1])).hash())
                .distinct()
                .toList();
        assertThat(hashes).hasSize(changes.size()).doesNotContain(accepted(FULL).hash());
    }

    private static String rule(String rule) {
        return "jobs:\n  rules:\n    - " + rule + "\n";
    }

    static PolicyDocument accepted(String yaml) {
        return switch (READER.read(FILE, yaml.getBytes(UTF_8))) {
            case PolicyReader.Result.Accepted(var policy) -> policy;
            case PolicyReader.Result.Refused(var complaints) -> throw new AssertionError(complaints.toString());
        };
    }

    private static List<String> complaints(String yaml) {
        return switch (READER.read(FILE, yaml.getBytes(UTF_8))) {
            case PolicyReader.Result.Accepted(var policy) -> List.of();
            case PolicyReader.Result.Refused(var complaints) ->
                complaints.stream().map(Complaint::toString).toList();
        };
    }
}
