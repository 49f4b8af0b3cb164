package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.idempotency.Fingerprint;
import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.StoredKey;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.Keys;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonArray;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyTest {

    private static final String BODY =
            "{\"topic\":\"job.default\",\"input\":{\"a\":1,\"b\":[true,null]},\"labels\":{\"x\":\"y\"}}";
    private static final String SAME_BODY =
            " { \"labels\" : {\"x\":\"\\u0079\"}, \"input\":{\"b\":[true,null],\"a\":1.0},\"topic\":\"job.default\" } ";

    private final TestPlane plane = new TestPlane();

    private TestPlane.Answer submit(String key, String body) {
        return plane.post("/api/v1/jobs").key(key).body(body).send();
    }

    @Test
    void a_repeated_request_gets_the_first_answer_byte_for_byte() {
        var first = submit("k", BODY);
        plane.clock.advance(Duration.ofHours(1));
        var second = submit("k", SAME_BODY);

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.replayed()).isFalse();
        assertThat(second.response().body()).isEqualTo(first.response().body());
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.replayed()).isTrue();
        assertThat(second.response().headers())
                .containsEntry(
                        "Nonbis-Original-Request", first.response().headers().get("Nonbis-Request-Id"))
                .containsEntry("Nonbis-Blocked-By", "idempotency_key");
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(1);
        assertThat(plane.get("/api/v1/jobs").send().items()).hasSize(1);
    }

    @Test
    void the_quoted_and_the_bare_form_are_the_same_key() {
        var first = submit("\"abc\"", BODY);

        assertThat(submit("abc", BODY).text()).isEqualTo(first.text());
    }

    @Test
    void another_body_is_refused_with_pointers_and_no_values() {
        submit("k", BODY);
        var answer = submit(
                "k",
                "{\"topic\":\"job.default\",\"input\":{\"a\":\"secret-value\",\"b\":[true,null]},\"prompt\":\"p\",\"labels\":{\"x\":\"y\"}}");

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.code()).isEqualTo("idempotency_key_reused");
        assertThat(answer.string("retry")).isEqualTo("new_key");
        assertThat(answer.json().array("pointers").orElseThrow().items().toString())
                .contains("/input/a", "/prompt")
                .doesNotContain("/topic");
        assertThat(answer.text()).doesNotContain("secret-value");
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(1);
    }

    @Test
    void the_same_key_for_another_workflow_is_a_mismatch_of_the_path() {
        for (String id : new String[] {"one", "two"}) {
            plane.put("/api/v1/workflows/" + id)
                    .body("{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"}]}")
                    .send();
        }
        plane.post("/api/v1/workflows/one/runs").key("k").body("{\"input\":{}}").send();

        var answer = plane.post("/api/v1/workflows/two/runs")
                .key("k")
                .body("{\"input\":{}}")
                .send();

        assertThat(answer.code()).isEqualTo("idempotency_key_reused");
        assertThat(answer.json().array("pointers").orElseThrow().items()).isEmpty();
        assertThat(answer.json().array("path_parameters").orElseThrow().items()).hasSize(1);
    }

    @Test
    void a_key_with_a_fingerprint_of_the_first_version_is_as_good_as_any() {
        var first = submit("k", "{\"topic\":\"job.default\"}");
        // What version 1 made of this body: the SHA-256 of {"body":{"topic":"job.default"},"path":{}}.
        rewrite(Operation.JOBS, "v1:631e9a1227a674375130eef77e5911c46ad81a434a68e9edeb5623b32da56137");

        var again = submit("k", " {\"topic\":\"job.default\"}");
        var other = submit("k", "{\"topic\":\"job.other\"}");

        assertThat(again.replayed()).isTrue();
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(other.code()).isEqualTo("idempotency_key_reused");
        assertThat(other.json().array("pointers").orElseThrow()).isEqualTo(JsonArray.ofStrings(List.of("/topic")));
        assertThat(other.json().has("path_parameters")).isFalse();
    }

    @Test
    void a_key_of_the_first_version_still_covers_the_path() {
        for (String id : new String[] {"one", "two"}) {
            plane.put("/api/v1/workflows/" + id)
                    .body("{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"}]}")
                    .send();
        }
        var first = plane.post("/api/v1/workflows/one/runs").key("k").body("{}").send();
        // The SHA-256 of {"body":{},"path":{"id":"one"}}.
        rewrite(Operation.RUNS, "v1:db8a9add53d0ebb5f9e926876c671cb410c407384353c8ff011fb8c44faf83f0");

        var again =
                plane.post("/api/v1/workflows/one/runs").key("k").body(" {}").send();
        var elsewhere =
                plane.post("/api/v1/workflows/two/runs").key("k").body("{}").send();

        assertThat(again.replayed()).isTrue();
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(elsewhere.code()).isEqualTo("idempotency_key_reused");
        assertThat(elsewhere.json().array("pointers").orElseThrow().items()).isEmpty();
        assertThat(elsewhere.json().array("path_parameters").orElseThrow())
                .isEqualTo(JsonArray.ofStrings(List.of("id")));
    }

    /** Gives the key a fingerprint as an earlier server would have. */
    private void rewrite(Operation operation, String fingerprint) {
        var scope = new KeyScope(new TenantId("acme"), operation, IdempotencyKey.of("k"));
        plane.ports.store().transact(List.of(Tables.KEYS.row(scope)), tx -> {
            var key = Keys.find(tx::find, scope).orElseThrow();
            tx.update(
                    Tables.KEYS,
                    scope,
                    StoredKey.of(
                            scope,
                            new KeyRecord(
                                    key.subject(),
                                    key.expiresAt(),
                                    key.requestId(),
                                    key.sent(),
                                    new Fingerprint(fingerprint),
                                    key.answer())));
            return true;
        });
    }

    @Test
    void another_key_with_the_same_body_runs_again() {
        assertThat(submit("k1", BODY).string("job_id"))
                .isNotEqualTo(submit("k2", BODY).string("job_id"));
    }

    @Test
    void without_a_key_every_request_runs() {
        var first = plane.post("/api/v1/jobs").body(BODY).send();
        var second = plane.post("/api/v1/jobs").body(BODY).send();

        assertThat(first.string("job_id")).isNotEqualTo(second.string("job_id"));
    }

    @Test
    void a_key_means_something_else_for_each_operation_and_tenant() {
        plane.put("/api/v1/workflows/w")
                .body("{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"}]}")
                .send();
        submit("k", BODY);

        assertThat(plane.post("/api/v1/workflows/w/runs")
                        .key("k")
                        .body("{}")
                        .send()
                        .replayed())
                .isFalse();
        assertThat(plane.post("/api/v1/jobs")
                        .as(TestPlane.GLOBEX)
                        .key("k")
                        .body(BODY)
                        .send()
                        .replayed())
                .isFalse();
    }

    @Test
    void after_its_retention_a_key_is_new_and_before_it_is_not() {
        var first = submit("k", BODY);
        plane.clock.advance(Duration.ofDays(90).minusMillis(1));
        assertThat(submit("k", BODY).text()).isEqualTo(first.text());
        plane.clock.advance(Duration.ofMillis(1));

        var second = submit("k", BODY);

        assertThat(second.replayed()).isFalse();
        assertThat(second.string("job_id")).isNotEqualTo(first.string("job_id"));
        assertThat(submit("k", BODY).text()).isEqualTo(second.text());
    }

    @Test
    void keys_of_runs_live_for_ever() {
        plane.put("/api/v1/workflows/w")
                .body("{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"}]}")
                .send();
        var first = plane.post("/api/v1/workflows/w/runs").key("k").body("{}").send();
        plane.clock.advance(Duration.ofDays(10_000));

        assertThat(plane.post("/api/v1/workflows/w/runs")
                        .key("k")
                        .body("{}")
                        .send()
                        .text())
                .isEqualTo(first.text());
    }

    @Test
    void the_purge_removes_expired_keys_and_no_others() {
        for (int i = 0; i < 700; i++) {
            submit("old-" + i, BODY);
        }
        plane.clock.advance(Duration.ofDays(45));
        submit("young", BODY);
        plane.clock.advance(Duration.ofDays(46));

        int removed = 0;
        for (int n = plane.purge.runOnce(); n > 0; n = plane.purge.runOnce()) {
            removed += n;
        }

        assertThat(removed).isEqualTo(700);
        assertThat(submit("young", BODY).replayed()).isTrue();
    }

    @Test
    void a_key_can_be_looked_up_and_released() {
        var first = submit("k/with/slashes", BODY);
        submit("k/with/slashes", BODY);
        submit("k/with/slashes", "{\"topic\":\"job.other\"}");

        var shown =
                plane.get("/api/v1/idempotency-keys/jobs/k%2Fwith%2Fslashes").send();
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.string("original_request_id"))
                .isEqualTo(first.response().headers().get("Nonbis-Request-Id"));
        assertThat(shown.string("fingerprint")).startsWith("v2:");
        assertThat(shown.json().integer("status")).contains(200L);
        assertThat(shown.json().integer("replays")).contains(1L);
        assertThat(shown.json().integer("mismatches")).contains(1L);
        assertThat(shown.string("expires_at")).isEqualTo("2026-05-30T12:00:00.000000Z");

        plane.duplicates.runOnce();
        assertThat(plane.get("/api/v1/idempotency-keys/jobs/k%2Fwith%2Fslashes")
                        .send()
                        .text())
                .isEqualTo(shown.text());

        long before = plane.auditEvents(TestPlane.ACME);
        assertThat(plane.delete("/api/v1/idempotency-keys/jobs/k%2Fwith%2Fslashes")
                        .body("{\"reason\":\"wrong body\"}")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(before + 1);
        assertThat(plane.get("/api/v1/idempotency-keys/jobs/k%2Fwith%2Fslashes")
                        .send()
                        .code())
                .isEqualTo("key_not_found");
        assertThat(submit("k/with/slashes", BODY).replayed()).isFalse();
    }

    @Test
    void a_release_needs_a_reason() {
        submit("k", BODY);

        assertThat(plane.delete("/api/v1/idempotency-keys/jobs/k")
                        .body("{}")
                        .send()
                        .code())
                .isEqualTo("missing_field");
        assertThat(submit("k", BODY).replayed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "\"\"", "\"unfinished", "\"a\" \"b\"", "\u00e9"})
    void a_bad_key_is_refused(String key) {
        var answer = submit(key, BODY);

        assertThat(answer.code()).isEqualTo("idempotency_key_invalid");
        assertThat(answer.string("retry")).isEqualTo("fix_request");
        assertThat(plane.auditEvents(TestPlane.ACME)).isZero();
    }

    @Test
    void a_key_of_256_characters_is_refused_and_one_of_255_is_taken() {
        assertThat(submit("k".repeat(256), BODY).code()).isEqualTo("idempotency_key_invalid");
        assertThat(submit("k".repeat(255), BODY).status()).isEqualTo(200);
    }

    @Test
    void a_missing_key_is_refused_where_the_configuration_asks_for_one() {
        var strict = new TestPlane(
                new DirectStore(new MemoryBackend()), Policy.ALLOW_ALL, Settings.DEFAULTS, EnumSet.of(Operation.JOBS));

        assertThat(strict.post("/api/v1/jobs").body(BODY).send().code()).isEqualTo("idempotency_key_required");
        assertThat(strict.post("/api/v1/jobs").key("k").body(BODY).send().status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"topic":"job.default"                                   | 400 | malformed_json
            []                                                       | 400 | invalid_field
            {"topic":"job.default","topic":"job.default"}            | 400 | json_not_canonical
            {"topic":"job.default","input":9007199254740993}         | 400 | json_not_canonical
            {"topic":"job.default","input":"\\ud800"}                | 400 | json_not_canonical
            {"topic":"job.default","nope":1}                         | 400 | unknown_field
            {"input":{}}                                             | 400 | missing_field
            {"topic":"default"}                                      | 400 | invalid_field
            {"topic":"job.a b"}                                      | 400 | invalid_field
            {"topic":7}                                              | 400 | invalid_field
            {"topic":"job.default","labels":{"a":1}}                 | 400 | invalid_field
            {"topic":"job.default","labels":{"approval_granted":"true"}} | 400 | reserved_label
            {"topic":"job.default","labels":{"nonbis.anything":"x"}} | 400 | reserved_label
            {"topic":"job.default","deadline_ms":0}                  | 400 | invalid_field
            {"topic":"job.default","max_attempts":1.5}               | 400 | invalid_field
            """)
    void a_refused_request_leaves_its_key_free(String body, int status, String code) {
        var refused = submit("k", body.strip());

        assertThat(refused.code()).isEqualTo(code);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.string("retry")).isEqualTo("fix_request");
        assertThat(refused.string("type")).isEqualTo("/problems/" + code);
        assertThat(refused.string("instance")).startsWith("urn:nonbis:request:req_");
        assertThat(plane.auditEvents(TestPlane.ACME)).isZero();
        assertThat(submit("k", BODY).replayed()).isFalse();
    }

    @Test
    void a_denial_by_policy_is_an_outcome_and_replays() {
        var denying = new TestPlane(
                new DirectStore(new MemoryBackend()),
                (tenant, job) -> new Policy.Ruling(new Verdict.Deny(Optional.of("no"), "too_big"), Optional.of("ff")),
                Settings.DEFAULTS);

        var first = denying.post("/api/v1/jobs").key("k").body(BODY).send();
        var second = denying.post("/api/v1/jobs").key("k").body(BODY).send();

        assertThat(first.status()).isEqualTo(403);
        assertThat(first.code()).isEqualTo("policy_denied");
        assertThat(second.response().body()).isEqualTo(first.response().body());
        assertThat(second.response().contentType()).isEqualTo("application/problem+json");
        assertThat(second.replayed()).isTrue();
        assertThat(denying.get("/api/v1/jobs/" + first.string("job_id")).send().string("state"))
                .isEqualTo("DENIED");
        assertThat(denying.auditEvents(TestPlane.ACME)).isEqualTo(1);
    }

    @Test
    void a_throttled_job_leaves_its_key_free() {
        var throttling = new TestPlane(
                new DirectStore(new MemoryBackend()),
                (tenant, job) -> new Policy.Ruling(
                        new Verdict.Throttle(Optional.empty(), Duration.ofSeconds(3)), Optional.empty()),
                Settings.DEFAULTS);

        var answer = throttling.post("/api/v1/jobs").key("k").body(BODY).send();

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.code()).isEqualTo("policy_throttled");
        assertThat(answer.json().integer("retry_after_ms")).contains(3000L);
        assertThat(answer.response().headers()).containsEntry("Retry-After", "3");
        assertThat(throttling.auditEvents(TestPlane.ACME)).isZero();
        assertThat(throttling.get("/api/v1/idempotency-keys/jobs/k").send().code())
                .isEqualTo("key_not_found");
    }

    @Test
    void a_replay_passes_authentication_and_roles() {
        submit("k", BODY);

        assertThat(plane.post("/api/v1/jobs")
                        .anonymously()
                        .key("k")
                        .body(BODY)
                        .send()
                        .status())
                .isEqualTo(401);
        assertThat(plane.post("/api/v1/jobs")
                        .as("acme-auditor")
                        .key("k")
                        .body(BODY)
                        .send()
                        .code())
                .isEqualTo("forbidden");
        assertThat(plane.post("/api/v1/jobs")
                        .header("x-tenant-id", "globex")
                        .key("k")
                        .body(BODY)
                        .send()
                        .code())
                .isEqualTo("tenant_mismatch");
    }

    @Test
    void duplicates_are_told_in_the_timeline_and_counted() {
        var job = submit("k", BODY).string("job_id");
        for (int i = 0; i < 5; i++) {
            submit("k", BODY);
        }
        submit("k", "{\"topic\":\"job.other\"}");
        plane.duplicates.runOnce();

        var entries = plane.get("/api/v1/jobs/" + job + "/timeline").send().items();
        assertThat(entries).hasSize(3);
        assertThat(entries.get(1).string("type")).contains("duplicate_blocked");
        assertThat(entries.get(1).object("data").orElseThrow().string("layer")).contains("idempotency_key");
        assertThat(entries.get(1).object("data").orElseThrow().integer("count")).contains(5L);
        assertThat(plane.metrics.scrape())
                .contains("nonbis_idempotency_requests_total{operation=\"jobs\",outcome=\"fresh\"} 1.0")
                .contains("nonbis_idempotency_requests_total{operation=\"jobs\",outcome=\"replayed\"} 5.0")
                .contains("nonbis_idempotency_requests_total{operation=\"jobs\",outcome=\"mismatched\"} 1.0")
                .contains("nonbis_duplicates_blocked_total{layer=\"idempotency_key\"} 6.0");
    }
}
