package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.operation.SweepNonces;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.Envelopes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PaymentsTest {

    private static final String TRUSTED_RECIPIENT =
            "{\"type\":\"eoa\",\"address\":\"0x1111111111111111111111111111111111111111\"}";

    private final PaymentPlane payments = new PaymentPlane();
    private final TestPlane plane = payments.plane;

    private TestPlane.Answer submit(String key, Envelopes envelope) {
        return payments.submit(key, envelope);
    }

    private long events() {
        return plane.auditEvents(TestPlane.ACME);
    }

    @Test
    void the_first_request_runs_the_pipeline_and_is_answered_with_a_signed_receipt() {
        var envelope = payments.envelope();
        var answer = submit("k", envelope);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.string("payment_id")).startsWith("pay_");
        assertThat(answer.string("status")).isEqualTo("auto_approved");
        assertThat(answer.string("decision")).isEqualTo("allow");
        assertThat(answer.json().get("deny_code")).contains(JsonNull.NULL);
        assertThat(answer.string("matched_rule_id")).isEqualTo("small");
        assertThat(answer.string("request_hash"))
                .isEqualTo(Sha256.hex(Json.canonical(Json.parse(envelope.json().getBytes(StandardCharsets.UTF_8)))));
        var receipt = answer.json().object("receipt").orElseThrow();
        for (String name : List.of(
                "payment_id",
                "status",
                "decision",
                "deny_code",
                "matched_rule_id",
                "request_hash",
                "policy_hash",
                "audit_event_id")) {
            assertThat(receipt.get(name)).as(name).isEqualTo(answer.json().get(name));
        }
        assertThat(keys().check(receipt)).isEqualTo(PublicKeys.Finding.GOOD);
        var event = plane.get("/api/v1/audit").send().items().getFirst();
        assertThat(event.string("id")).contains(answer.string("audit_event_id"));
        assertThat(event.string("type")).contains("payment.decided");
        assertThat(event.string("subject")).contains(answer.string("payment_id"));
    }

    private PublicKeys keys() {
        return PublicKeys.ofJwkSet(plane.get("/.well-known/nonbis-keys.json")
                        .anonymously()
                        .send()
                        .json())
                .orElseThrow();
    }

    @Test
    void the_same_key_and_body_get_the_recorded_answer_and_nothing_runs() {
        var envelope = payments.envelope();
        var first = submit("k", envelope);
        var second = submit("k", envelope);

        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.replayed()).isTrue();
        assertThat(second.response().headers()).containsEntry("Nonbis-Blocked-By", "idempotency_key");
        assertThat(events()).isEqualTo(1);
        assertThat(spent("day")).isEqualTo("0.05");
    }

    @Test
    void the_same_key_with_another_body_is_a_conflict() {
        var envelope = payments.envelope();
        submit("k", envelope);
        var answer = submit("k", envelope.amount("0.06"));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("protocol.idempotency_conflict");
        assertThat(answer.json().array("pointers").orElseThrow().items().toString())
                .contains("/amount/value");
        assertThat(events()).isEqualTo(1);
    }

    @Test
    void another_key_with_the_same_body_is_stopped_by_the_nonce_and_leaves_nothing_behind() {
        var envelope = payments.envelope();
        var first = submit("k", envelope);
        var answer = submit("other", envelope);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("protocol.nonce_replay");
        assertThat(answer.string("payment_id")).isEqualTo(first.string("payment_id"));
        assertThat(answer.response().headers()).containsEntry("Nonbis-Blocked-By", "nonce");
        assertThat(plane.metrics.scrape()).contains("nonbis_duplicates_blocked_total{layer=\"nonce\"} 1.0");
        assertThat(events()).isEqualTo(1);
        assertThat(submit("other", envelope.freshNonce()).status()).isEqualTo(200);
    }

    @Test
    void after_the_retention_the_pipeline_runs_again_and_the_nonce_gate_is_part_of_it() {
        var envelope = Envelopes.valid(payments.now().plus(Duration.ofDays(3)));
        var first = submit("k", envelope);
        plane.clock.advance(Duration.ofHours(24));

        assertThat(submit("k", envelope).code()).isEqualTo("protocol.nonce_replay");

        var again = submit("k", envelope.freshNonce());
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.replayed()).isFalse();
        assertThat(again.string("payment_id")).isNotEqualTo(first.string("payment_id"));
        assertThat(events()).isEqualTo(2);
    }

    @Test
    void a_request_that_is_refused_burns_neither_key_nor_nonce() {
        var envelope = payments.envelope();

        assertThat(submit("k", envelope.with("risk_class", "\"none\"")).status())
                .isEqualTo(400);
        assertThat(submit("k", envelope.with("expiry", "\"2020-01-01T00:00:00Z\""))
                        .code())
                .isEqualTo("protocol.aprp_expired");
        assertThat(events()).isZero();
        assertThat(submit("k", envelope).status()).isEqualTo(200);
        assertThat(submit("k", envelope).replayed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "agent_id | 7 | schema.wrong_type | /agent_id",
                "agent_id | \"No\" | schema.value_out_of_range | /agent_id",
                "task_id | \"-x\" | schema.value_out_of_range | /task_id",
                "intent | \"rob\" | schema.value_out_of_range | /intent",
                "amount | \"0.05\" | schema.wrong_type | /amount",
                "amount | {\"value\":\"0.05\"} | schema.missing_field | /amount/currency",
                "amount | {\"value\":0.05,\"currency\":\"USD\"} | schema.wrong_type | /amount/value",
                "amount | {\"value\":\"0\",\"currency\":\"USD\"} | schema.value_out_of_range | /amount/value",
                "amount | {\"value\":\"0.000\",\"currency\":\"USD\"} | schema.value_out_of_range | /amount/value",
                "amount | {\"value\":\"-1\",\"currency\":\"USD\"} | schema.value_out_of_range | /amount/value",
                "amount | {\"value\":\"01\",\"currency\":\"USD\"} | schema.value_out_of_range | /amount/value",
                "amount | {\"value\":\"1.\",\"currency\":\"USD\"} | schema.value_out_of_range | /amount/value",
                "amount | {\"value\":\"0.1234567890123456789\",\"currency\":\"USD\"} | schema.value_out_of_range | /amount/value",
                "amount | {\"value\":\"1\",\"currency\":\"EUR\"} | schema.value_out_of_range | /amount/currency",
                "amount | {\"value\":\"1\",\"currency\":\"USD\",\"x\":1} | schema.unknown_field | /amount/x",
                "token | \"usdc\" | schema.value_out_of_range | /token",
                "destination | {\"type\":\"bank\"} | schema.value_out_of_range | /destination/type",
                "destination | {\"type\":\"eoa\"} | schema.missing_field | /destination/address",
                "destination | {\"type\":\"eoa\",\"address\":\"0x1\"} | schema.value_out_of_range | /destination/address",
                "destination | {\"type\":\"eoa\",\"url\":\"u\"} | schema.unknown_field | /destination/url",
                "destination | {\"type\":\"x402_endpoint\",\"url\":\"relative\",\"method\":\"GET\"} | schema.value_out_of_range | /destination/url",
                "destination | {\"type\":\"erc20_transfer\",\"recipient\":\"0x1111111111111111111111111111111111111111\"} | schema.missing_field | /destination/token_address",
                "payment_protocol | \"cash\" | schema.value_out_of_range | /payment_protocol",
                "chain | \"B\" | schema.value_out_of_range | /chain",
                "provider_url | \"not a uri\" | schema.value_out_of_range | /provider_url",
                "provider_url | \"https://api.example.com/\u202e\" | schema.value_out_of_range | /provider_url",
                "provider_url | \"https://\u0430pi.example.com\" | schema.value_out_of_range | /provider_url",
                "expiry | \"tomorrow\" | schema.value_out_of_range | /expiry",
                "expiry | 1 | schema.wrong_type | /expiry",
                "nonce | \"01hzrg3mw7m2n4k8m2n4k8m2n4\" | schema.value_out_of_range | /nonce",
                "nonce | \"81HZRG3MW7M2N4K8M2N4K8M2N4\" | schema.value_out_of_range | /nonce",
                "risk_class | null | schema.wrong_type | /risk_class",
                "x402_payload | [] | schema.wrong_type | /x402_payload",
                "expected_result | {} | schema.missing_field | /expected_result/kind",
                "expected_result | {\"kind\":\"json\",\"sha256\":\"AB\"} | schema.value_out_of_range | /expected_result/sha256",
                "extra | 1 | schema.unknown_field | /extra",
                "a/b~c | 1 | schema.unknown_field | /a~1b~0c",
            })
    void every_field_is_checked_and_the_pointer_names_it(String name, String value, String code, String pointer) {
        var answer = submit("k", payments.envelope().with(name, value));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.string("pointer")).isEqualTo(pointer);
        assertThat(answer.string("retry")).isEqualTo("fix_request");
        assertThat(events()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent_id",
                "task_id",
                "intent",
                "amount",
                "token",
                "destination",
                "payment_protocol",
                "chain",
                "provider_url",
                "expiry",
                "nonce",
                "risk_class"
            })
    void every_required_field_is_missed(String name) {
        var answer = submit("k", payments.envelope().without(name));

        assertThat(answer.code()).isEqualTo("schema.missing_field");
        assertThat(answer.string("pointer")).isEqualTo("/" + name);
    }

    @Test
    void optional_fields_may_be_null_or_whole() {
        assertThat(submit("a", payments.envelope().with("x402_payload", "null").with("expected_result", "null"))
                        .status())
                .isEqualTo(200);
        assertThat(submit(
                                "b",
                                payments.envelope()
                                        .with("x402_payload", "{\"any\":[1]}")
                                        .with(
                                                "expected_result",
                                                "{\"kind\":\"json\",\"sha256\":\"" + "a".repeat(64)
                                                        + "\",\"content_type\":\"application/json\"}"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_body_that_is_no_object_has_the_wrong_type() {
        var answer = plane.post("/v1/payment-requests").key("k").body("[1]").send();

        assertThat(answer.code()).isEqualTo("schema.wrong_type");
    }

    @Test
    void clocks_may_differ_by_a_minute() {
        var envelope = Envelopes.valid(payments.now().minusSeconds(60));

        assertThat(submit("k", envelope).status()).isEqualTo(200);
        assertThat(submit("k2", Envelopes.valid(payments.now().minusSeconds(61)))
                        .code())
                .isEqualTo("protocol.aprp_expired");
    }

    @Test
    void a_retry_after_the_expiry_gets_the_answer_of_the_first_attempt() {
        var envelope = payments.envelope();
        var first = submit("k", envelope);
        plane.clock.advance(Duration.ofHours(1));

        assertThat(submit("k", envelope).text()).isEqualTo(first.text());
        assertThat(submit("k", envelope.amount("0.06")).code()).isEqualTo("protocol.aprp_expired");
        assertThat(submit("new", envelope).code()).isEqualTo("protocol.aprp_expired");
    }

    @Test
    void a_key_is_required_and_must_be_readable() {
        var none = plane.post("/v1/payment-requests")
                .body(payments.envelope().json())
                .send();
        var bad = plane.post("/v1/payment-requests")
                .key("not a key")
                .body(payments.envelope().json())
                .send();

        assertThat(none.code()).isEqualTo("protocol.idempotency_key_required");
        assertThat(bad.code()).isEqualTo("protocol.idempotency_key_invalid");
    }

    @Test
    void callers_are_told_in_the_words_of_payments() {
        var missing = plane.post("/v1/payment-requests").anonymously().send();
        var unknown = plane.post("/v1/payment-requests").as("nobody").send();

        assertThat(missing.status()).isEqualTo(401);
        assertThat(missing.code()).isEqualTo("auth.required");
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(unknown.code()).isEqualTo("auth.invalid_token");
        assertThat(plane.get("/api/v1/jobs").anonymously().send().code()).isEqualTo("unauthenticated");
    }

    @Test
    void a_credential_that_is_an_agent_speaks_for_itself_alone() {
        var other = plane.post("/v1/payment-requests")
                .as("acme-submitter")
                .key("k")
                .body(payments.envelope().json())
                .send();
        var itself = plane.post("/v1/payment-requests")
                .as("acme-submitter")
                .key("k")
                .body(payments.envelope().with("agent_id", "\"only-submitter\"").json())
                .send();

        assertThat(other.status()).isEqualTo(403);
        assertThat(other.code()).isEqualTo("auth.agent_id_mismatch");
        assertThat(itself.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "agent_id | \"paused-agent\" | agent.paused",
                "agent_id | \"revoked-agent\" | agent.revoked",
                "agent_id | \"stranger\" | agent.unknown",
                "agent_id | \"stopped-agent\" | emergency.agent_paused",
                "provider_url | \"https://other.example.com\" | provider.unknown",
                "provider_url | \"http://api.example.com\" | provider.unknown",
                "provider_url | \"https://api.example.com.evil.test\" | provider.unknown",
                "provider_url | \"https://api.example.com@evil.test/\" | provider.unknown",
                "provider_url | \"https://bad.example.com/x\" | provider.blocked",
                "provider_url | \"https://part.example.com/v1x\" | provider.unknown",
                "provider_url | \"https://part.example.com/v1/../x\" | provider.unknown",
                "provider_url | \"https://part.example.com/v1/%2e%2E/x\" | provider.unknown",
                "provider_url | \"https://part.example.com/v1/..%2fx\" | provider.unknown",
                "provider_url | \"https://part.example.com/v1/..%5Cx\" | provider.unknown",
                "provider_url | \"https://part.example.com/v1/%252e%252e/x\" | provider.unknown",
                "provider_url | \"https://part.example.com//v1/x\" | provider.unknown",
                "destination | {\"type\":\"eoa\",\"address\":\"0x3333333333333333333333333333333333333333\"} | recipient.not_allowed",
                "destination | {\"type\":\"eoa\",\"address\":\"0x2222222222222222222222222222222222222222\"} | recipient.blocked",
                "amount | {\"value\":\"7\",\"currency\":\"USD\"} | policy.default",
                "amount | {\"value\":\"0.500000000000000001\",\"currency\":\"USD\"} | policy.default",
            })
    void a_denial_is_an_outcome_that_replays(String name, String value, String code) {
        var envelope = payments.envelope().with(name, value);
        var first = submit("k", envelope);
        payments.policy.now = PaymentPlane.policy("payments: {default: allow}");
        var second = submit("k", envelope);

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.string("status")).isEqualTo("rejected");
        assertThat(first.string("decision")).isEqualTo("deny");
        assertThat(first.string("deny_code")).isEqualTo(code);
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.replayed()).isTrue();
        assertThat(events()).isEqualTo(1);
    }

    @Test
    void a_rule_denies_with_its_own_code_and_a_stop_with_its_own() {
        assertThat(submit("a", payments.envelope().amount("7").with("risk_class", "\"critical\""))
                        .string("deny_code"))
                .isEqualTo("too.risky");

        payments.policy.now = PaymentPlane.policy(PaymentPlane.POLICY.replace("freeze_all: false", "freeze_all: true"));

        assertThat(submit("b", payments.envelope()).string("deny_code")).isEqualTo("emergency.freeze_all");
    }

    @Test
    void without_a_policy_no_money_moves() {
        var answer = new TestPlane()
                .post("/v1/payment-requests")
                .key("k")
                .body(payments.envelope().json())
                .send();

        assertThat(answer.string("deny_code")).isEqualTo("policy.missing");
        assertThat(answer.json().get("policy_hash")).contains(JsonNull.NULL);
    }

    @Test
    void an_allowed_recipient_is_known_whatever_the_case_of_its_letters() {
        assertThat(submit("k", payments.envelope().with("destination", TRUSTED_RECIPIENT))
                        .string("status"))
                .isEqualTo("auto_approved");
        assertThat(submit(
                                "k2",
                                payments.envelope()
                                        .with("destination", TRUSTED_RECIPIENT)
                                        .with("chain", "\"other\""))
                        .string("deny_code"))
                .isEqualTo("recipient.not_allowed");
    }

    @Test
    void a_daily_budget_is_spent_to_the_last_digit_and_starts_anew_at_midnight_in_utc() {
        for (int i = 0; i < 3; i++) {
            submit("third-" + i, payments.envelope().amount("0.333333333333333333"));
        }
        assertThat(spent("day")).isEqualTo("0.999999999999999999");

        var tooMuch = submit("too-much", payments.envelope().amount("0.000000000000000002"));
        assertThat(tooMuch.string("deny_code")).isEqualTo("budget.exceeded");
        assertThat(tooMuch.string("status")).isEqualTo("rejected");
        assertThat(tooMuch.string("matched_rule_id")).isEqualTo("small");
        assertThat(keys().check(tooMuch.json().object("receipt").orElseThrow())).isEqualTo(PublicKeys.Finding.GOOD);

        submit("fits", payments.envelope().amount("0.000000000000000001"));
        assertThat(spent("day")).isEqualTo("1.000000000000000000");

        plane.clock.advance(Duration.ofHours(12));
        assertThat(spent("day")).isEqualTo("0");
        assertThat(spent("month")).isEqualTo("1.000000000000000000");
    }

    @Test
    void budgets_for_single_requests_and_for_providers_hold_too() {
        payments.policy.now = PaymentPlane.policy(PaymentPlane.POLICY.replace(
                "budgets:",
                "budgets:\n  - {agent: research-agent-01, scope: request, cap_usd: \"0.10\"}\n"
                        + "  - {agent: research-agent-01, scope: provider, provider: api.example, cap_usd: \"0.15\"}"));

        assertThat(submit("a", payments.envelope().amount("0.11")).string("deny_code"))
                .isEqualTo("budget.exceeded");
        assertThat(submit("b", payments.envelope().amount("0.10")).string("status"))
                .isEqualTo("auto_approved");
        assertThat(submit("c", payments.envelope().amount("0.06")).string("deny_code"))
                .isEqualTo("budget.exceeded");
        plane.clock.advance(Duration.ofDays(40));
        assertThat(submit("d", payments.envelope().amount("0.06")).string("deny_code"))
                .isEqualTo("budget.exceeded");
        assertThat(submit("e", payments.envelope().amount("0.05")).string("status"))
                .isEqualTo("auto_approved");
        assertThat(spent("provider")).isEqualTo("0.15");
    }

    private String spent(String scope) {
        return plane.get("/api/v1/budgets/research-agent-01").send().items().stream()
                .filter(line -> line.string("scope").orElseThrow().equals(scope))
                .findFirst()
                .flatMap(line -> line.string("spent_usd"))
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v1/", "v1/x..y", "v1/a/.hidden"})
    void a_provider_covers_what_is_below_its_path(String path) {
        var envelope = payments.envelope().with("provider_url", "\"https://part.example.com/" + path + "\"");

        assertThat(submit("k", envelope).string("status")).isEqualTo("auto_approved");
    }

    @Test
    void a_nonce_is_taken_once_also_when_the_clock_is_set_back_after_a_sweep() {
        var envelope = payments.envelope();
        submit("k", envelope);
        plane.clock.advance(Duration.ofHours(20));
        new SweepNonces(plane.ports).runSeveral();

        plane.clock.advance(Duration.ofHours(-20));

        assertThat(submit("other", envelope).code()).isEqualTo("protocol.nonce_replay");
    }

    @Test
    void an_envelope_may_expire_in_the_last_minute_that_can_be_told() {
        var envelope = payments.envelope().with("expiry", "\"9999-12-31T23:59:59.999999999Z\"");
        submit("k", envelope);

        var again = submit("other", envelope);

        assertThat(again.code()).isEqualTo("protocol.nonce_replay");
        assertThat(again.string("nonce_free_at")).isEqualTo("9999-12-31T23:59:59.999999Z");
    }

    @Test
    void the_expiry_is_checked_before_the_key() {
        var expired = payments.envelope().with("expiry", "\"2020-01-01T00:00:00Z\"");

        for (String key : List.of("", "not a key")) {
            var request = plane.post("/v1/payment-requests").body(expired.json());
            assertThat((key.isEmpty() ? request : request.key(key)).send().code())
                    .isEqualTo("protocol.aprp_expired");
        }
    }

    @Test
    void nonces_are_swept_a_day_after_their_envelope_has_expired_and_no_sooner() {
        var sweep = new SweepNonces(plane.ports);
        var envelope = payments.envelope();
        submit("k", envelope);

        plane.clock.advance(Duration.ofMinutes(6));
        assertThat(sweep.runOnce()).isZero();
        assertThat(submit("other", envelope).code()).isEqualTo("protocol.nonce_replay");

        plane.clock.advance(Duration.ofSeconds(1));
        assertThat(submit("other", envelope).code()).isEqualTo("protocol.aprp_expired");
        plane.clock.advance(Duration.ofDays(1).minusSeconds(2));
        assertThat(sweep.runOnce()).isZero();
        plane.clock.advance(Duration.ofSeconds(2));
        assertThat(sweep.runOnce()).isEqualTo(1);
        assertThat(sweep.runOnce()).isZero();
        assertThat(submit("other", envelope).code()).isEqualTo("protocol.aprp_expired");
    }

    @Test
    void another_tenant_sees_neither_the_payment_nor_the_nonce() {
        var envelope = payments.envelope();
        String id = submit("k", envelope).string("payment_id");

        assertThat(plane.get("/v1/payment-requests/" + id)
                        .as(TestPlane.GLOBEX)
                        .send()
                        .code())
                .isEqualTo("payment_not_found");
        assertThat(plane.post("/v1/payment-requests")
                        .as(TestPlane.GLOBEX)
                        .key("k")
                        .body(envelope.json())
                        .send()
                        .replayed())
                .isFalse();
    }

    @Test
    void a_key_shows_its_payment_and_how_often_it_came_again() {
        var envelope = payments.envelope();
        String id = submit("k", envelope).string("payment_id");
        submit("k", envelope);
        submit("k", envelope.amount("0.01"));
        plane.duplicates.runOnce();

        var key = plane.get("/api/v1/idempotency-keys/payments/k").send();

        assertThat(key.string("subject")).isEqualTo(id);
        assertThat(key.json().integer("replays")).contains(1L);
        assertThat(key.json().integer("mismatches")).contains(1L);
    }

    @Test
    void the_policy_explains_a_payment_without_deciding_it() {
        JsonObject explained = plane.post("/api/v1/policy/explain")
                .body("{\"payment\":" + payments.envelope().json() + "}")
                .send()
                .json();

        assertThat(explained.string("verdict")).isPresent();
        assertThat(events()).isZero();
    }

    @Test
    void a_longer_retention_keeps_the_answer_longer() {
        var kept = new PaymentPlane(
                new Settings(Map.of(Operation.PAYMENTS, Duration.ofDays(30)), Map.of(), Duration.ofDays(7), false));
        var envelope = kept.envelope();
        kept.submit("k", envelope);
        kept.plane.clock.advance(Duration.ofDays(29));

        assertThat(kept.submit("k", envelope).replayed()).isTrue();
    }
}
