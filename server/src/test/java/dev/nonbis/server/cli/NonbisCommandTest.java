package dev.nonbis.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.audit.AuditHead;
import dev.nonbis.core.audit.AuditSeal;
import dev.nonbis.core.audit.Checkpoint;
import dev.nonbis.core.audit.MerkleFrontier;
import dev.nonbis.core.audit.MerkleHash;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.signing.SigningKeyFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NonbisCommandTest {

    private static final String JOB =
            "{\"job_id\":\"job_1\",\"state\":\"PENDING\",\"trace_id\":\"t\",\"request_hash\":\"h\",\"created_at\":\"2026-01-02T03:04:05.000006Z\"}";

    private static final String EMPTY_HASH = Sha256.hex("{}".getBytes(StandardCharsets.UTF_8));

    private final ScriptedApi api = new ScriptedApi();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, String> environment = new HashMap<>();
    private final List<Config> started = new ArrayList<>();
    private final KeyRing ring = new KeyRing(SigningKey.generate(), List.of());
    private String standardInput = "";
    private Instant now = Instant.EPOCH;

    @TempDir
    Path directory;

    @BeforeEach
    void pointAtTheServer() {
        environment.put("NONBIS_URL", api.url().toString());
        environment.put("NONBIS_API_KEY", "token");
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void a_job_is_submitted_with_everything_that_was_given() {
        api.answers(JOB);

        var exit = run(
                "job",
                "submit",
                "--topic",
                "job.default",
                "--prompt",
                "hi",
                "--input",
                "{\"eur\":1.10}",
                "--label",
                "a=b",
                "--label",
                "c=d=e",
                "--key",
                "k-1",
                "--deadline",
                "30s",
                "--max-attempts",
                "2",
                "--json");

        assertThat(exit).isZero();
        assertThat(out()).isEqualTo(JOB + "\n");
        assertThat(err()).isEmpty();
        assertThat(api.requests())
                .singleElement()
                .asString()
                .startsWith(
                        "POST /api/v1/jobs Bearer token k-1 {\"topic\":\"job.default\",\"prompt\":\"hi\",\"input\":{\"eur\":1.10}")
                .contains("\"a\":\"b\"", "\"c\":\"d=e\"", "\"deadline_ms\":30000", "\"max_attempts\":2");
    }

    @Test
    void a_generated_key_is_told_and_data_stays_apart_from_talk() {
        api.replays(JOB);

        assertThat(run("job", "submit", "--topic", "t")).isZero();

        assertThat(err()).containsPattern("key: [0-7][0-9A-Z]{25}\n").contains("replayed: blocked by idempotency_key");
        assertThat(out()).contains("job_id        job_1\n").doesNotContain("key");
    }

    @Test
    void input_is_taken_from_a_file_and_from_standard_input() throws IOException {
        Files.writeString(directory.resolve("in.json"), "{\"from\":\"file\"}");
        standardInput = "{\"from\":\"stdin\"}";
        api.answers(JOB).answers("{\"run_id\":\"run_1\"}");

        run("job", "submit", "--topic", "t", "--input", "@in.json");
        run("run", "start", "wf", "--input", "-");

        assertThat(api.requests().get(0)).contains("\"input\":{\"from\":\"file\"}");
        assertThat(api.requests().get(1))
                .startsWith("POST /api/v1/workflows/wf/runs ")
                .endsWith("{\"input\":{\"from\":\"stdin\"}}");
    }

    @Test
    void waiting_tells_each_state_once_and_ends_with_the_job() {
        api.answers(JOB)
                .answers("{\"state\":\"PENDING\"}")
                .answers("{\"state\":\"PENDING\"}")
                .answers("{\"state\":\"RUNNING\"}")
                .answers("{\"state\":\"SUCCEEDED\"}");

        assertThat(run("job", "submit", "--topic", "t", "--key", "k", "--wait", "--json"))
                .isZero();

        assertThat(out()).isEqualTo("{\"state\":\"SUCCEEDED\"}\n");
        assertThat(err()).isEqualTo("job: job_1\nwaiting: PENDING\nwaiting: RUNNING\n");
    }

    @Test
    void waiting_for_a_run_tells_how_many_steps_are_done() {
        api.answers("{\"state\":\"RUNNING\",\"steps\":{\"a\":\"ACTIVE\",\"b\":\"BLOCKED\"}}")
                .answers("{\"state\":\"RUNNING\",\"steps\":{\"a\":\"SUCCEEDED\",\"b\":\"ACTIVE\"}}")
                .answers("{\"state\":\"FAILED\",\"steps\":{\"a\":\"SUCCEEDED\",\"b\":\"FAILED\"}}");

        assertThat(run("run", "status", "run_1", "--wait")).isEqualTo(1);

        assertThat(err()).isEqualTo("waiting: RUNNING, 0 of 2 steps done\nwaiting: RUNNING, 1 of 2 steps done\n");
    }

    @Test
    void a_long_wait_tells_that_it_goes_on() {
        for (var i = 0; i < 12; i++) {
            api.answers("{\"state\":\"RUNNING\",\"worker_id\":\"w-7\"}");
        }
        api.answers("{\"state\":\"SUCCEEDED\"}");

        assertThat(run("job", "status", "job_1", "--wait")).isZero();

        assertThat(err()).startsWith("waiting: RUNNING, with w-7\nwaiting: RUNNING, with w-7, for 1");
    }

    @ParameterizedTest
    @CsvSource({"approved,0", "rejected,3", "expired,3"})
    void a_decision_can_be_waited_for(String kind, int exit) {
        var waiting = "{\"status\":\"waiting\",\"request\":{},\"request_hash\":\"" + EMPTY_HASH + "\"}";
        var decided = "{\"status\":\"decided\",\"request\":{},\"request_hash\":\"" + EMPTY_HASH
                + "\",\"decision\":{\"kind\":\"" + kind + "\"}}";
        api.answers(waiting).answers(waiting).answers(decided);

        assertThat(run("approvals", "show", "job_1", "--wait", "--json")).isEqualTo(exit);

        assertThat(err()).isEqualTo("waiting: waiting for a human\n");
        assertThat(out()).isEqualTo(decided + "\n");
    }

    @Test
    void what_was_approved_or_retried_can_be_waited_for() {
        api.answers("{\"job_id\":\"job_1\",\"status\":\"approved\"}")
                .answers("{\"state\":\"PENDING\"}")
                .answers("{\"state\":\"SUCCEEDED\"}")
                .answers("{\"job_id\":\"job_1\",\"status\":\"retried\",\"retried_as\":\"job_2\"}")
                .answers("{\"state\":\"FAILED\"}");

        assertThat(run("approvals", "approve", "job_1", "--wait")).isZero();
        assertThat(run("dlq", "retry", "job_1", "--wait")).isEqualTo(1);

        assertThat(err()).isEqualTo("approved\nwaiting: PENDING\njob: job_2\n");
        assertThat(api.requests().getLast()).startsWith("GET /api/v1/jobs/job_2 ");
    }

    @Test
    void waiting_ends_when_the_time_is_over() {
        for (var i = 0; i < 20; i++) {
            api.answers("{\"state\":\"RUNNING\"}");
        }

        assertThat(run("run", "status", "run_1", "--wait", "--timeout", "5s")).isEqualTo(8);

        assertThat(Duration.between(Instant.EPOCH, now)).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @CsvSource({
        "SUCCEEDED, 0",
        "FAILED, 1",
        "TIMEOUT, 1",
        "CANCELLED, 1",
        "DENIED, 3",
        "UNKNOWN, 6",
        "PENDING, 8",
        "APPROVAL, 8",
        "RUNNING, 8"
    })
    void the_exit_code_of_a_status_follows_the_state(String state, int expected) {
        api.answers("{\"state\":\"" + state + "\"}");

        assertThat(run("job", "status", "job_1")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "403, policy_denied, never, 3",
        "401, unauthenticated, fix_request, 4",
        "403, forbidden, fix_request, 4",
        "422, idempotency_key_reused, new_key, 5",
        "409, job_already_terminal, never, 5",
        "400, unknown_field, fix_request, 1",
        "404, job_not_found, fix_request, 1"
    })
    void the_exit_code_of_a_problem_follows_its_code(int status, String code, String retry, int expected) {
        api.refuses(status, code, retry);

        assertThat(run("job", "cancel", "job_1")).isEqualTo(expected);

        assertThat(err())
                .startsWith("error: " + code + ": the detail\nnext: retry " + retry + ": ")
                .endsWith("request: req_7\n");
        assertThat(out()).isEmpty();
    }

    @Test
    void without_a_server_nothing_was_changed() {
        api.close();

        assertThat(run("job", "submit", "--topic", "t", "--attempts", "1")).isEqualTo(1);

        assertThat(err())
                .contains("no connection after 1 attempt", "nothing was changed", "next: check that the server");
    }

    @Test
    void without_an_answer_the_outcome_is_unknown_and_the_key_is_told_again() {
        assertThat(run("job", "submit", "--topic", "t", "--key", "k-1", "--attempts", "1"))
                .isEqualTo(6);

        assertThat(err()).contains("it may have taken effect\nnext: send the same again with --key k-1");
    }

    @Test
    void without_any_key_the_dev_key_is_picked_up() throws IOException {
        environment.remove("NONBIS_API_KEY");
        assertThat(run("job", "list")).isEqualTo(4);

        DevKey.in(directory.resolve("nonbis-data"));
        api.answers(
                "{\"items\":[{\"job_id\":\"job_1\",\"state\":\"PENDING\",\"topic\":\"t\\u001b[2J\"}],\"next\":\"c\"}");
        assertThat(run("job", "list", "--state", "PENDING", "--limit", "1")).isZero();

        assertThat(api.requests())
                .containsExactly("GET /api/v1/jobs?state=PENDING&limit=1 Bearer "
                        + Files.readString(directory.resolve("nonbis-data/dev-key"))
                                .strip() + " - ");
        assertThat(out()).isEqualTo("job_id  state    topic       created_at\njob_1   PENDING  t\\u001b[2J  -\n");
        assertThat(err()).contains("more: --after c");
    }

    @Test
    void a_workflow_may_be_written_in_yaml_or_json() throws IOException {
        Files.writeString(
                directory.resolve("wf.yaml"), "steps:\n  - {id: a, topic: job.a, input: {n: '${input.n}'}}\n");
        Files.writeString(directory.resolve("wf.json"), "{\"steps\":[]}");
        api.answers("{}").answers("{}");

        assertThat(run("workflow", "put", "wf", "wf.yaml")).isZero();
        assertThat(run("workflow", "put", "wf", "wf.json")).isZero();

        assertThat(api.requests())
                .containsExactly(
                        "PUT /api/v1/workflows/wf Bearer token - {\"steps\":[{\"id\":\"a\",\"topic\":\"job.a\",\"input\":{\"n\":\"${input.n}\"}}]}",
                        "PUT /api/v1/workflows/wf Bearer token - {\"steps\":[]}");
    }

    @Test
    void limits_and_keys_reach_their_paths() {
        api.answers("{}").answers("{}").answers("{}");

        run("limits", "set", "acme", "--max-concurrent-runs", "none");
        run("key", "show", "jobs", "a b");
        run("key", "release", "runs", "k", "--reason", "wrong input");

        assertThat(api.requests())
                .containsExactly(
                        "PUT /api/v1/tenants/acme/limits Bearer token - {\"max_concurrent_runs\":null}",
                        "GET /api/v1/idempotency-keys/jobs/a%20b Bearer token - ",
                        "DELETE /api/v1/idempotency-keys/runs/k Bearer token - {\"reason\":\"wrong input\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "job submit",
        "job submit --topic t --input {",
        "job submit --topic t --deadline soon",
        "nonsense",
        "job status"
    })
    void what_is_not_understood_is_a_usage_error(String line) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void a_configuration_is_checked_without_starting() throws IOException {
        environment.clear();
        Files.writeString(directory.resolve("nonbis.yaml"), "http: {port: x}\n");

        assertThat(run("config", "check", "nonbis.yaml")).isEqualTo(1);

        assertThat(err())
                .contains("nonbis.yaml:1:14: http.port: \"x\" is not a port")
                .contains("error: the configuration has 2 errors\n");
        assertThat(run("serve", "--config", "nonbis.yaml")).isEqualTo(1);
        assertThat(started).isEmpty();
    }

    @Test
    void dev_needs_no_file_and_keeps_its_key() throws IOException {
        assertThat(run("dev", "--port", "0", "--json")).isZero();
        var key = Files.readString(directory.resolve("nonbis-data/dev-key"));
        assertThat(run("dev", "--port", "0")).isZero();

        assertThat(Files.readString(directory.resolve("nonbis-data/dev-key"))).isEqualTo(key);
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("nonbis-data/dev-key"))))
                .isEqualTo("rw-------");
        assertThat(directory.resolve("nonbis-data").toFile().list())
                .containsExactlyInAnyOrder("dev-key", "dev-approver-key");
        assertThat(started).hasSize(2).allSatisfy(config -> {
            assertThat(config.http().host()).isEqualTo("127.0.0.1");
            assertThat(config.auth().keys())
                    .first()
                    .isEqualTo(new Config.ApiKey(
                            "dev",
                            "dev",
                            Set.of("admin"),
                            Sha256.hex(key.strip().getBytes(StandardCharsets.UTF_8))));
            assertThat(config.auth().keys().getLast().roles()).containsExactly("approver");
        });
        assertThat(out()).startsWith("{\"url\":\"http://127.0.0.1:1234\",");
        assertThat(err()).contains("curl -sS http://127.0.0.1:1234/api/v1/jobs");
    }

    @Test
    void an_export_verifies_and_a_changed_one_names_the_event() throws IOException {
        var first = auditEvent(1, "0".repeat(64));
        var second = auditEvent(2, hashOf(first));
        api.answers("{\"items\":[" + first + "],\"next\":\"1\"}").answers("{\"items\":[" + second + "],\"next\":null}");
        assertThat(run("audit", "export", "--after", "0")).isZero();
        Files.writeString(directory.resolve("good.jsonl"), out());
        Files.writeString(directory.resolve("bad.jsonl"), out().replace("job_2", "job_3"));
        out.reset();

        assertThat(run("audit", "verify", "good.jsonl", "--head", hashOf(second)))
                .isZero();
        assertThat(out()).isEqualTo("verified 2 events up to seq 2, hash " + hashOf(second) + "\n");
        assertThat(run("audit", "verify", "good.jsonl", "--head", hashOf(first)))
                .isEqualTo(1);
        assertThat(run("audit", "verify", "bad.jsonl")).isEqualTo(1);
        assertThat(err()).contains("error: event evt_2 at seq 2 is broken: hash is not the hash of the event");
    }

    @Test
    void a_server_whose_chain_ends_before_its_head_does_not_verify() {
        var first = auditEvent(1, "0".repeat(64));
        var seal = sealOf(first);
        api.answers("{\"seq\":2,\"hash\":\"x\"}")
                .answers("{}")
                .answers(seal)
                .answers("{\"items\":[" + first + "],\"next\":null}");

        assertThat(run("audit", "verify")).isEqualTo(1);

        assertThat(err()).contains("the chain ends at seq 1 but its head is at 2");
    }

    @Test
    void a_log_without_events_is_not_called_verified() throws IOException {
        Files.writeString(directory.resolve("empty.jsonl"), "");
        Files.writeString(directory.resolve("checkpoint.json"), sealOf(auditEvent(1, "0".repeat(64))));
        assertThat(run("audit", "verify", "empty.jsonl")).isEqualTo(1);
        assertThat(err()).contains("empty.jsonl has no events, so that nothing was verified");
        assertThat(run("audit", "verify", "empty.jsonl", "--checkpoint", "checkpoint.json"))
                .isEqualTo(1);

        api.answers("{\"seq\":0,\"hash\":\"" + "0".repeat(64) + "\"}");
        assertThat(run("audit", "verify")).isZero();
        assertThat(out()).isEqualTo("the log has no events, so that nothing was verified\n");
        api.answers("{\"seq\":0,\"hash\":\"" + "0".repeat(64) + "\"}");
        assertThat(run("audit", "verify", "--checkpoint", "checkpoint.json")).isEqualTo(1);
    }

    @Test
    void a_sealed_export_verifies_offline_to_the_byte() throws IOException {
        Files.write(directory.resolve("keys.json"), Json.write(ring.publicKeys().toJwkSet()));
        var first = auditEvent(1, "0".repeat(64));
        var second = auditEvent(2, hashOf(first));
        var third = auditEvent(3, hashOf(second));
        api.answers("{\"items\":[" + first + "],\"next\":null}")
                .answers("{}")
                .answers(sealOf(first, second))
                .answers("{\"items\":[" + second + "," + third + "],\"next\":null}");
        assertThat(run("audit", "export", "--checkpoint", "checkpoint.json")).isZero();
        assertThat(out().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"data\":"));
        Files.writeString(directory.resolve("good.jsonl"), out());
        Files.writeString(directory.resolve("spaced.jsonl"), out().replace("\"n\":2", "\"n\": 2"));
        Files.writeString(directory.resolve("cut.jsonl"), out().substring(0, out().length() - 1));
        Files.writeString(directory.resolve("windows.jsonl"), out().replace("\n", "\r\n"));
        Files.writeString(directory.resolve("marked.jsonl"), "\ufeff" + out());
        Files.writeString(directory.resolve("blank.jsonl"), out() + "\n");
        Files.writeString(directory.resolve("tail.jsonl"), out().substring(0, out().indexOf('\n') + 1));
        out.reset();

        assertThat(run("audit", "verify", "good.jsonl", "--keys", "keys.json", "--checkpoint", "checkpoint.json"))
                .isZero();
        assertThat(out())
                .isEqualTo("verified 2 events of tenant acme up to seq 2, hash " + hashOf(second)
                        + "; sealed and signed at 1970-01-01T00:00:00.000000Z\n");
        assertThat(run("audit", "verify", "good.jsonl", "--checkpoint", "checkpoint.json", "--tenant", "acme"))
                .isZero();
        assertThat(run("audit", "verify", "good.jsonl", "--checkpoint", "checkpoint.json", "--tenant", "globex"))
                .isEqualTo(1);
        assertThat(err()).contains("the log is that of tenant acme and not of globex");
        assertThat(run("audit", "verify", "good.jsonl", "--tenant", "acme")).isEqualTo(2);
        for (var bad : List.of("spaced.jsonl", "cut.jsonl", "windows.jsonl", "marked.jsonl", "blank.jsonl")) {
            assertThat(run("audit", "verify", bad)).as(bad).isEqualTo(1);
        }
        assertThat(run("audit", "verify", "tail.jsonl", "--checkpoint", "checkpoint.json"))
                .isEqualTo(1);
        assertThat(err()).contains("ends at seq 1 but there is a checkpoint of seq 2");
        assertThat(run("audit", "verify", "tail.jsonl")).isZero();
        assertThat(err()).contains("a tail that was cut off would not be found");
        assertThat(run("audit", "verify", "good.jsonl", "--keys", "keys.json")).isEqualTo(2);
    }

    @Test
    void a_line_longer_than_any_event_is_an_error_and_not_read_to_its_end() throws IOException {
        try (var out = Files.newOutputStream(directory.resolve("long.jsonl"))) {
            byte[] chunk = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 17; i++) {
                out.write(chunk);
            }
        }
        assertThat(run("audit", "verify", "long.jsonl")).isEqualTo(1);
        assertThat(err()).contains("long.jsonl: line 1 is longer than 16 MiB, so it is no event");
    }

    @Test
    void an_export_goes_on_until_every_redaction_in_it_is_told() throws IOException {
        var first = redacted(auditEvent(1, "0".repeat(64)));
        var second = redaction(2, hashOf(first));
        api.answers("{\"items\":[" + first + "],\"next\":null}")
                .answers("{}")
                .answers(sealOf(first))
                .answers("{\"items\":[" + second + "],\"next\":null}")
                .answers("{}")
                .answers(sealOf(first, second))
                .answers("{\"items\":[" + second + "],\"next\":null}");
        assertThat(run("audit", "export", "--checkpoint", "checkpoint.json")).isZero();
        Files.writeString(directory.resolve("export.jsonl"), out());

        assertThat(run("audit", "verify", "export.jsonl", "--checkpoint", "checkpoint.json"))
                .isZero();
        assertThat(out()).contains("verified 2 events of tenant acme up to seq 2", "payloads redacted: 1");
    }

    @Test
    void an_export_from_which_events_were_dropped_meanwhile_is_refused() {
        var first = auditEvent(1, "0".repeat(64));
        api.answers("{\"items\":[" + first + "],\"next\":\"1\"}")
                .answers("{\"items\":[" + auditEvent(3, hashOf(first)) + "],\"next\":null}");

        assertThat(run("audit", "export")).isEqualTo(1);

        assertThat(err()).contains("events were dropped from the log while it was read");
    }

    @Test
    void a_receipt_verifies_offline_and_a_changed_one_does_not() throws IOException {
        var ring = new KeyRing(SigningKey.generate(), List.of());
        Files.write(directory.resolve("keys.json"), Json.write(ring.publicKeys().toJwkSet()));
        var receipt = ring.sign(JsonObject.builder()
                .put("type", "nonbis.payment_receipt.v1")
                .put("payment_id", "pay_1")
                .put("status", "rejected")
                .build());
        var text = new String(
                Json.write(JsonObject.builder().put("receipt", receipt).build()), StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("good.json"), text);
        Files.writeString(directory.resolve("bad.json"), text.replace("rejected", "approved"));

        assertThat(run("receipt", "verify", "good.json", "--keys", "keys.json")).isZero();
        assertThat(out()).contains("the receipt is good: payment pay_1 rejected");
        assertThat(run("receipt", "verify", "bad.json", "--keys", "keys.json")).isEqualTo(1);
        assertThat(err()).contains("its signature does not fit it");
        Files.writeString(directory.resolve("around.json"), text.replaceFirst("\\{", "{\"status\":\"approved\","));
        Files.writeString(directory.resolve("same.json"), text.replaceFirst("\\{", "{\"status\":\"rejected\","));
        assertThat(run("receipt", "verify", "around.json", "--keys", "keys.json"))
                .isEqualTo(1);
        assertThat(err()).contains("the answer around it says something else in status");
        assertThat(run("receipt", "verify", "same.json", "--keys", "keys.json")).isZero();
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void a_payment_that_needs_a_human_is_waited_for() throws IOException {
        Files.writeString(directory.resolve("envelope.json"), "{}");
        String waits = "{\"payment_id\":\"pay_1\",\"status\":\"requires_human\",\"decision\":\"requires_human\"}";
        String denied = "{\"payment_id\":\"pay_1\",\"status\":\"rejected\",\"decision\":\"deny\"}";
        api.answers(waits).answers(waits).answers(waits).answers(denied);

        assertThat(run("payment", "submit", "envelope.json", "--key", "k", "--wait"))
                .isEqualTo(3);

        assertThat(err()).containsOnlyOnce("waiting: requires_human");
        assertThat(out()).contains("rejected").doesNotContain("requires_human");
    }

    @Test
    void payments_are_listed() {
        api.answers("{\"items\":[{\"payment_id\":\"pay_1\",\"status\":\"rejected\",\"deny_code\":\"x\","
                + "\"amount\":{\"value\":\"0.05\"}}],\"next\":\"pay_1\"}");

        assertThat(run("payment", "list", "--status", "rejected", "--limit", "1"))
                .isZero();

        assertThat(out()).contains("pay_1", "rejected", "0.05");
        assertThat(err()).contains("more: --after pay_1");
    }

    @Test
    void a_payment_is_submitted_from_a_file_and_the_exit_code_follows_the_decision() throws IOException {
        Files.writeString(directory.resolve("envelope.json"), "{\"agent_id\":\"a\"}");
        api.answers("{\"payment_id\":\"pay_1\",\"decision\":\"allow\"}")
                .answers("{\"payment_id\":\"pay_1\",\"decision\":\"deny\"}")
                .answers("{\"payment_id\":\"pay_1\",\"decision\":\"requires_human\"}")
                .answers("{\"items\":[{\"scope\":\"day\",\"cap_usd\":\"1.00\"}]}");

        assertThat(run("payment", "submit", "envelope.json", "--key", "k")).isZero();
        assertThat(run("payment", "submit", "envelope.json", "--key", "k")).isEqualTo(3);
        assertThat(run("payment", "show", "pay_1")).isEqualTo(8);
        assertThat(run("budget", "show", "agent-1")).isZero();

        assertThat(api.requests().getFirst())
                .startsWith("POST /v1/payment-requests")
                .endsWith(" k {\"agent_id\":\"a\"}");
        assertThat(api.requests().get(2)).startsWith("GET /v1/payment-requests/pay_1");
        assertThat(api.requests().get(3)).startsWith("GET /api/v1/budgets/agent-1");
        assertThat(out()).contains("1.00");
    }

    @Test
    void a_rotated_key_signs_and_the_one_before_still_checks() throws Exception {
        var file = new SigningKeyFile(directory.resolve("signing-keys.json"));
        var before = file.open();
        var signed = before.sign(JsonObject.builder().put("n", 1).build());

        assertThat(run("signing-key", "rotate", "signing-keys.json")).isZero();

        var after = file.open();
        assertThat(after.publicKeys().keys()).hasSize(2);
        assertThat(after.publicKeys().keys().getFirst().id()).isEqualTo(out().strip());
        assertThat(after.publicKeys().check(signed)).isEqualTo(PublicKeys.Finding.GOOD);
        assertThat(before.publicKeys().check(after.sign(JsonObject.EMPTY))).isEqualTo(PublicKeys.Finding.UNKNOWN_KEY);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("signing-keys.json"))))
                .isEqualTo("rw-------");
        assertThat(Files.readString(directory.resolve("signing-keys.json"))).containsOnlyOnce("\"d\":");
    }

    @Test
    void completion_and_version_are_printed() {
        assertThat(run("completion", "bash")).isZero();
        assertThat(out()).contains("complete -F _complete_nonbis").doesNotContain("warm-up");
        assertThat(run("--version")).isZero();
        assertThat(out()).contains("nonbis unreleased");
    }

    private static String auditEvent(int seq, String previous, String type, String subject) {
        var data = JsonObject.builder().put("n", seq).build();
        var chained = JsonObject.builder()
                .put("seq", seq)
                .put("id", "evt_" + seq)
                .put("type", type)
                .put("subject", subject)
                .put("data_hash", Sha256.hex(Json.canonical(data)))
                .put("prev_hash", previous)
                .build();
        var event = JsonObject.builder();
        chained.members().forEach(event::put);
        event.put("hash", Sha256.hex(Json.canonical(chained))).put("data", data);
        return new String(Json.write(event.build()), StandardCharsets.UTF_8);
    }

    private String sealOf(String... events) {
        var tree = new MerkleFrontier();
        for (var event : events) {
            tree.add(leafOf(event));
        }
        var head = new AuditHead(events.length, hashOf(events[events.length - 1]), Instant.EPOCH);
        var checkpoint = ring.sign(Checkpoint.unsigned(new TenantId("acme"), head, tree.root(), Instant.EPOCH));
        return new String(Json.write(new AuditSeal(checkpoint, Optional.empty()).toJson()), StandardCharsets.UTF_8);
    }

    private static String redacted(String event) {
        return event.replaceFirst("\"data\":\\{[^}]*}", "\"data\":null");
    }

    /** The event that tells of the redaction of the first. */
    private static String redaction(int seq, String previous) {
        return auditEvent(seq, previous, "audit.redacted", "evt_1");
    }

    private static String auditEvent(int seq, String previous) {
        return auditEvent(seq, previous, "job.submitted", "job_" + seq);
    }

    private static byte[] leafOf(String event) {
        var chained = JsonObject.builder();
        ((JsonObject) Json.parse(event.getBytes(StandardCharsets.UTF_8)))
                .members()
                .forEach((name, value) -> {
                    if (!name.equals("hash") && !name.equals("data")) {
                        chained.put(name, value);
                    }
                });
        return MerkleHash.leaf(Json.canonical(chained.build()));
    }

    private static String hashOf(String event) {
        return ((JsonObject) Json.parse(event.getBytes(StandardCharsets.UTF_8)))
                .string("hash")
                .orElseThrow();
    }

    private int run(String... args) {
        var streams = new Terminal.Streams(
                new ByteArrayInputStream(standardInput.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        var terminal = new Terminal(streams, environment, directory, wait -> now = now.plus(wait), () -> now);
        return new NonbisCommand(terminal, this::start).run(args);
    }

    private RunningServer start(Config config) {
        started.add(config);
        return new RunningServer() {
            @Override
            public URI url() {
                return URI.create("http://127.0.0.1:1234");
            }

            @Override
            public URI managementUrl() {
                return URI.create("http://127.0.0.1:1235");
            }

            @Override
            public URI signInLink(String token) {
                return URI.create("http://127.0.0.1:1234/sign-in?code=once");
            }

            @Override
            public void awaitStop() {}

            @Override
            public void close() {}
        };
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
