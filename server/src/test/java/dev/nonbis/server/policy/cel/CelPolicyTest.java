package dev.nonbis.server.policy.cel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.policy.Explanation.DecidedBy;
import dev.nonbis.core.policy.Explanation.Found;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CelPolicyTest {

    private static final TenantId ACME = new TenantId("acme");

    private static final CelPolicy POLICY = policy("""
            jobs:
              default: allow
              rules:
                - {id: owner, when: 'job.submitted_by == "root"', verdict: allow}
                - {id: big-refund, when: 'job.topic == "job.refund" && job.input.eur > 100', verdict: require_approval}
                - {id: wipe, when: 'job.topic == "job.wipe"', verdict: deny, deny_code: ops.no_wipe}
                - {id: plain-deny, when: 'job.topic == "job.no"', verdict: deny}
                - {id: mail, when: 'job.topic == "job.mail"', verdict: throttle, retry_after: 2s}
                - {id: label, when: '"team" in job.labels && job.labels.team == "red"', verdict: require_approval}
                - {id: not-bool, when: 'job.topic == "job.odd" ? job.input.flag : false', verdict: allow}
                - {id: nightly, when: 'has(job.workflow) && job.workflow == "nightly"', verdict: deny}
            """);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"topic":"job.default"}                                        | allow by default
            {"topic":"job.refund","input":{"eur":100}}                     | allow by default
            {"topic":"job.refund","input":{"eur":100.5}}                   | approval by big-refund
            {"topic":"job.refund","input":{"eur":101}}                     | approval by big-refund
            {"topic":"job.refund","input":{"eur":101},"submitted_by":"root"} | allow by owner
            {"topic":"job.refund","input":{}}                              | deny policy_error by big-refund
            {"topic":"job.refund","input":{"eur":"101"}}                   | deny policy_error by big-refund
            {"topic":"job.refund","input":[]}                              | deny policy_error by big-refund
            {"topic":"job.wipe"}                                           | deny ops.no_wipe by wipe
            {"topic":"job.no"}                                             | deny policy.rule by plain-deny
            {"topic":"job.mail"}                                           | throttle PT2S by mail
            {"topic":"job.x","labels":{"team":"red"}}                      | approval by label
            {"topic":"job.x","labels":{"team":"blue"}}                     | allow by default
            {"topic":"job.odd","input":{"flag":true}}                      | allow by not-bool
            {"topic":"job.odd","input":{"flag":1}}                         | deny policy_error by not-bool
            {"topic":"job.odd","input":{"flag":null}}                      | deny policy_error by not-bool
            {"topic":"job.x","workflow":"nightly","step":"a"}              | deny policy.rule by nightly
            """)
    void the_first_rule_that_matches_decides_and_an_error_denies(String job, String verdict) {
        var view = view(job);
        assertThat(shown(POLICY.job(ACME, view))).isEqualTo(verdict);
        assertThat(POLICY.explainJob(ACME, view).ruling()).isEqualTo(POLICY.job(ACME, view));
    }

    @Test
    void an_explanation_goes_rule_by_rule() {
        var explained = POLICY.explainJob(ACME, view("{\"topic\":\"job.refund\"}"));
        assertThat(explained.decidedBy()).isEqualTo(DecidedBy.ERROR);
        assertThat(explained.rules()).hasSize(8);
        assertThat(explained.rules().get(0).found()).isEqualTo(new Found.NotMatched());
        assertThat(explained.rules().get(1).found())
                .isInstanceOfSatisfying(
                        Found.Failed.class, failed -> assertThat(failed.why()).contains("'eur' is not present"));
        assertThat(explained.rules().get(2).found()).isEqualTo(new Found.NotReached());
        assertThat(new String(Json.write(explained.toJson()), UTF_8))
                .startsWith("{\"verdict\":\"deny\",\"deny_code\":\"policy_error\",\"decided_by\":\"error\","
                        + "\"matched_rule_id\":\"big-refund\",\"policy_hash\":\"")
                .contains(
                        "{\"id\":\"owner\",\"when\":\"job.submitted_by == \\\"root\\\"\",\"outcome\":\"not_matched\"}")
                .contains("\"outcome\":\"not_reached\"");
    }

    @Test
    void an_explanation_and_the_verdict_agree_on_any_job() {
        var random = new Random(20261115);
        for (int i = 0; i < 2_000; i++) {
            var job = randomJob(random);
            var explained = POLICY.explainJob(ACME, job);
            assertThat(explained.ruling()).as("%s", job).isEqualTo(POLICY.job(ACME, job));
            var settled = explained.rules().stream()
                    .filter(look -> look.found() instanceof Found.Matched || look.found() instanceof Found.Failed)
                    .toList();
            assertThat(settled).hasSizeLessThan(2);
            assertThat(explained.ruling().verdict().rule())
                    .isEqualTo(settled.stream().findFirst().map(look -> look.rule()));
        }
    }

    @Test
    void an_emergency_stop_denies_every_job() {
        var policy = policy("jobs: {rules: [{id: a, when: 'true', verdict: allow}]}\nemergency: {freeze_all: true}");
        var explained = policy.explainJob(ACME, view("{\"topic\":\"job.x\"}"));
        assertThat(shown(explained.ruling())).isEqualTo("deny emergency.freeze_all by default");
        assertThat(explained.decidedBy()).isEqualTo(DecidedBy.EMERGENCY);
        assertThat(explained.rules()).extracting(look -> look.found()).containsExactly(new Found.NotReached());
    }

    @Test
    void a_tenant_is_ruled_by_its_own_policy_or_the_common_one_or_denied() {
        var own = PolicyReaderTest.accepted("jobs: {default: require_approval}");
        var common = PolicyReaderTest.accepted("jobs: {default: allow}");
        var other = new TenantId("other");
        var job = view("{\"topic\":\"job.x\"}");
        var both = new CelPolicy(Map.of(ACME, own), Optional.of(common));
        assertThat(both.job(ACME, job))
                .isEqualTo(new Policy.Ruling(new Verdict.RequireApproval(Optional.empty()), Optional.of(own.hash())));
        assertThat(both.job(other, job).policyHash()).contains(common.hash());
        var only = new CelPolicy(Map.of(ACME, own), Optional.empty());
        assertThat(shown(only.job(other, job))).isEqualTo("deny policy.missing by default");
        assertThat(only.explainJob(other, job).decidedBy()).isEqualTo(DecidedBy.NO_POLICY);
    }

    @Test
    void a_condition_that_costs_too_much_denies() {
        var links = ".map(x, [x, x])".repeat(30);
        var digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
        for (var condition : List.of(
                "[1]" + links + " == [2]" + links,
                "%1$s.all(a, %1$s.all(b, %1$s.all(c, %1$s.all(d, %1$s.all(e, true)))))".formatted(digits),
                "job.input.list.all(a, job.input.list.all(b, a == b))")) {
            var policy = policy("jobs: {rules: [{id: a, when: '" + condition + "', verdict: allow}]}");
            var job = view("{\"topic\":\"job.x\",\"input\":{\"list\":[" + "1,".repeat(9_999) + "1]}}");
            assertThat(shown(policy.job(ACME, job))).isEqualTo("deny policy_error by a");
        }
    }

    private static JsonObject randomJob(Random random) {
        var topics = List.of("job.default", "job.refund", "job.wipe", "job.mail", "job.odd", "job.no", "job.x");
        var inputs = List.of(
                "{}", "{\"eur\":99}", "{\"eur\":100.01}", "{\"eur\":\"x\"}", "{\"flag\":true}", "[]", "null", "7");
        var labels = List.of("{}", "{\"team\":\"red\"}", "{\"team\":\"blue\"}");
        var workflow = random.nextInt(4) == 0 ? ",\"workflow\":\"nightly\",\"step\":\"s\"" : "";
        return view("{\"topic\":\"%s\",\"input\":%s,\"labels\":%s,\"submitted_by\":\"%s\"%s}"
                .formatted(
                        topics.get(random.nextInt(topics.size())),
                        inputs.get(random.nextInt(inputs.size())),
                        labels.get(random.nextInt(labels.size())),
                        random.nextInt(8) == 0 ? "root" : "alice",
                        workflow));
    }

    private static JsonObject view(String json) {
        var job = (JsonObject) Json.parse(json.getBytes(UTF_8));
        var view = JsonObject.builder();
        job.members().forEach(view::put);
        if (!job.has("input")) {
            view.put("input", JsonObject.EMPTY);
        }
        if (!job.has("labels")) {
            view.put("labels", JsonObject.EMPTY);
        }
        if (!job.has("submitted_by")) {
            view.put("submitted_by", "alice");
        }
        return view.build();
    }

    private static CelPolicy policy(String yaml) {
        return new CelPolicy(Map.of(), Optional.of(PolicyReaderTest.accepted(yaml)));
    }

    private static String shown(Policy.Ruling ruling) {
        String by = " by " + ruling.verdict().rule().orElse("default");
        return switch (ruling.verdict()) {
            case Verdict.Allow allow -> "allow" + by;
            case Verdict.Deny deny -> "deny " + deny.code() + by;
            case Verdict.RequireApproval approval -> "approval" + by;
            case Verdict.Throttle(var rule, Duration delay) -> "throttle " + delay + by;
        };
    }
}
