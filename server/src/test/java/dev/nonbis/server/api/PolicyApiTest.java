package dev.nonbis.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.core.store.Store;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.policy.cel.CelExpressions;
import dev.nonbis.server.policy.cel.CelPolicy;
import dev.nonbis.server.policy.cel.PolicyReader;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyApiTest {

    private static final String POLICY = """
            jobs:
              rules:
                - {id: mine, when: 'job.submitted_by == "alice"', verdict: require_approval}
                - {id: step, when: 'has(job.step) && job.step == "pay"', verdict: deny, deny_code: no_pay}
                - {id: big, when: 'job.input.eur > 100', verdict: throttle, retry_after: 3s}
            """;

    @Test
    void it_says_what_would_happen_and_why() {
        assertThat(explain(policy(), "{\"job\":{\"topic\":\"job.x\",\"input\":{\"eur\":5}}}"))
                .isEqualTo("{\"verdict\":\"require_approval\",\"decided_by\":\"rule\",\"matched_rule_id\":\"mine\","
                        + "\"policy_hash\":\"HASH\",\"rules\":["
                        + "{\"id\":\"mine\",\"when\":\"job.submitted_by == \\\"alice\\\"\",\"outcome\":\"matched\"},"
                        + "{\"id\":\"step\",\"when\":\"has(job.step) && job.step == \\\"pay\\\"\",\"outcome\":\"not_reached\"},"
                        + "{\"id\":\"big\",\"when\":\"job.input.eur > 100\",\"outcome\":\"not_reached\"}]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"topic":"job.x","submitted_by":"bob","input":{"eur":5}}   | {"verdict":"allow","decided_by":"default"
            {"topic":"job.x","submitted_by":"bob","input":{"eur":500}} | {"verdict":"throttle","retry_after_ms":3000,"decided_by":"rule"
            {"topic":"job.x","submitted_by":"bob"}                     | {"verdict":"deny","deny_code":"policy_error","decided_by":"error"
            {"topic":"job.x","submitted_by":"bob","workflow":"w","step":"pay"} | {"verdict":"deny","deny_code":"no_pay","decided_by":"rule"
            """)
    void it_can_ask_for_somebody_else_and_for_a_step(String job, String answer) {
        assertThat(explain(policy(), "{\"job\":" + job + "}")).startsWith(answer);
    }

    @Test
    void without_a_policy_everything_is_allowed_and_it_says_so() {
        assertThat(explain(Policy.ALLOW_ALL, "{\"job\":{\"topic\":\"job.x\"}}"))
                .isEqualTo("{\"verdict\":\"allow\",\"decided_by\":\"no_policy\",\"rules\":[]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                           | /job                         | missing_field
            {"job":{}}                                   | /job/topic                   | missing_field
            {"job":{"topic":"x"}}                        | /job/topic                   | invalid_field
            {"job":{"topic":"job.x","nope":1}}           | /job/nope                    | unknown_field
            {"job":{"topic":"job.x"},"more":1}           | /more                        | unknown_field
            {"job":{"topic":"job.x","labels":{"approval_granted":"true"}}} | /job/labels/approval_granted | reserved_label
            {"job":{"topic":"job.x","submitted_by":7}}   | /job/submitted_by            | invalid_field
            """)
    void what_could_not_be_submitted_is_refused(String body, String pointer, String code) {
        assertThatThrownBy(() -> explain(policy(), body)).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.problem().code().word()).isEqualTo(code);
            assertThat(refusal.problem().toString()).contains(pointer);
        });
    }

    private static CelPolicy policy() {
        return switch (new PolicyReader().read(Path.of("policy.yaml"), POLICY.getBytes(UTF_8))) {
            case PolicyReader.Result.Accepted(var policy) -> new CelPolicy(Map.of(), Optional.of(policy));
            case PolicyReader.Result.Refused(var complaints) -> throw new AssertionError(complaints.toString());
        };
    }

    private static String explain(Policy policy, String body) {
        InstantSource clock = () -> Instant.EPOCH;
        var ports = new Ports(
                untouched(),
                clock,
                new Ids(clock, new SplittableRandom(1)),
                policy,
                new CelExpressions(),
                new KeyRing(SigningKey.generate(), List.of()),
                Settings.DEFAULTS);
        var actor = new Actor(new TenantId("acme"), "alice", Set.of(Role.OPERATOR));
        var request = new Request(
                "req_1", "POST", "/api/v1/policy/explain", Map.of(), Map.of(), Map.of(), body.getBytes(UTF_8));
        var response = new PolicyApi(ports).explain(new Call(request, Optional.of(actor)));
        assertThat(response.status()).isEqualTo(200);
        var json = (JsonObject) Json.parse(response.body());
        var text = new String(response.body(), UTF_8);
        return json.string("policy_hash")
                .map(hash -> text.replace(hash, "HASH"))
                .orElse(text);
    }

    /** Explaining changes nothing: it does not even look. */
    private static Store untouched() {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, _, _) -> {
            throw new AssertionError("explaining must not touch the store");
        });
    }
}
