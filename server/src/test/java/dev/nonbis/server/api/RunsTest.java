package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.json.JsonObject;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunsTest {

    private final TestPlane plane = new TestPlane();

    @BeforeEach
    void aWorkflow() {
        put(
                "w",
                "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"},{\"id\":\"b\",\"topic\":\"job.default\",\"needs\":[\"a\"]}]}");
    }

    private TestPlane.Answer put(String id, String definition) {
        return plane.put("/api/v1/workflows/" + id).body(definition).send();
    }

    private TestPlane.Answer start(String key) {
        return plane.post("/api/v1/workflows/w/runs")
                .key(key)
                .body("{\"input\":{\"n\":1}}")
                .send();
    }

    private void limit(String value) {
        assertThat(plane.put("/api/v1/tenants/acme/limits")
                        .body("{\"max_concurrent_runs\":" + value + "}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private TestPlane.Answer run(String id) {
        return plane.get("/api/v1/runs/" + id).send();
    }

    @Test
    void a_run_starts_with_the_jobs_of_its_first_steps() {
        String id = start("k").string("run_id");
        var run = run(id);

        assertThat(run.string("state")).isEqualTo("RUNNING");
        assertThat(run.json().object("steps").orElseThrow().string("a")).contains("ACTIVE");
        assertThat(run.json().object("steps").orElseThrow().string("b")).contains("BLOCKED");
        String job = JobId.ofStep(new RunId(id), "a").value();
        var step = plane.get("/api/v1/jobs/" + job).send();
        assertThat(step.string("state")).isEqualTo("PENDING");
        assertThat(step.string("run_id")).isEqualTo(id);
        assertThat(step.string("step")).isEqualTo("a");
        assertThat(plane.get("/api/v1/jobs").send().items()).hasSize(1);
    }

    @Test
    void a_run_refused_at_capacity_leaves_its_key_free_and_no_row_behind() {
        limit("1");
        String first = start("first").string("run_id");
        long events = plane.auditEvents(TestPlane.ACME);

        var refused = start("retry-after-limit");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("max_concurrent_runs_reached");
        assertThat(refused.json().integer("current")).contains(1L);
        assertThat(refused.json().integer("limit")).contains(1L);
        assertThat(refused.string("retry")).isEqualTo("same_key");
        assertThat(refused.response().headers()).containsKey("Retry-After");
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(events);
        assertThat(plane.get("/api/v1/runs").send().items()).hasSize(1);
        assertThat(plane.get("/api/v1/jobs").send().items()).hasSize(1);
        assertThat(plane.get("/api/v1/idempotency-keys/runs/retry-after-limit")
                        .send()
                        .code())
                .isEqualTo("key_not_found");
        assertThat(plane.metrics.scrape())
                .contains("nonbis_admission_releases_total{context=\"concurrency_limit\"} 1.0")
                .contains("nonbis_idempotency_requests_total{operation=\"runs\",outcome=\"released\"} 1.0");

        plane.post("/api/v1/runs/" + first + "/cancel").send();
        var admitted = start("retry-after-limit");
        assertThat(admitted.status()).isEqualTo(200);
        assertThat(plane.get("/api/v1/idempotency-keys/runs/retry-after-limit")
                        .send()
                        .string("subject"))
                .isEqualTo(admitted.string("run_id"));
    }

    @Test
    void a_replay_passes_at_capacity() {
        limit("1");
        var first = start("k");

        assertThat(start("k").text()).isEqualTo(first.text());
    }

    @Test
    void a_limit_of_null_is_no_limit_and_of_zero_admits_nothing() {
        limit("0");
        assertThat(start("a").status()).isEqualTo(429);
        limit("null");
        assertThat(start("a").status()).isEqualTo(200);
    }

    @Test
    void an_unknown_workflow_leaves_the_key_free() {
        var answer =
                plane.post("/api/v1/workflows/later/runs").key("k").body("{}").send();
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("workflow_not_found");

        put("later", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"}]}");
        assertThat(plane.post("/api/v1/workflows/later/runs")
                        .key("k")
                        .body("{}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void cancelling_a_run_reaches_its_jobs_once() {
        String id = start("k").string("run_id");
        var cancelled = plane.post("/api/v1/runs/" + id + "/cancel")
                .body("{\"reason\":\"enough\"}")
                .send();
        long events = plane.auditEvents(TestPlane.ACME);
        var again = plane.post("/api/v1/runs/" + id + "/cancel").send();

        assertThat(cancelled.string("status")).isEqualTo("cancelled");
        assertThat(again.string("status")).isEqualTo("already_cancelled");
        assertThat(run(id).string("state")).isEqualTo("CANCELLED");
        assertThat(plane.get("/api/v1/jobs").send().items().getFirst().string("state"))
                .contains("CANCELLED");
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(events);
        assertThat(plane.get("/api/v1/tenants/acme/limits").send().json().integer("active_runs"))
                .contains(0L);
    }

    @Test
    void cancelling_the_only_open_step_ends_the_run() {
        String id = start("k").string("run_id");
        plane.post("/api/v1/jobs/" + JobId.ofStep(new RunId(id), "a") + "/cancel")
                .send();

        assertThat(run(id).string("state")).isEqualTo("CANCELLED");
        assertThat(plane.get("/api/v1/tenants/acme/limits").send().json().integer("active_runs"))
                .contains(0L);
        assertThat(plane.post("/api/v1/runs/" + id + "/cancel").send().string("status"))
                .isEqualTo("already_cancelled");
    }

    @Test
    void conditions_and_inputs_are_evaluated_at_the_start() {
        put("cond", """
                {"steps":[
                  {"id":"big","topic":"job.default","when":"${input.eur > 100}","input":{"eur":"${input.eur}","note":"plain"}},
                  {"id":"small","topic":"job.default","when":"${input.eur <= 100}"},
                  {"id":"after","topic":"job.default","needs":["small"],"input":{"twice":"${input.eur * 2}"}}]}""");
        String id = plane.post("/api/v1/workflows/cond/runs")
                .body("{\"input\":{\"eur\":250}}")
                .send()
                .string("run_id");

        var steps = run(id).json().object("steps").orElseThrow();
        assertThat(List.of(
                        steps.string("big").orElseThrow(),
                        steps.string("small").orElseThrow(),
                        steps.string("after").orElseThrow()))
                .containsExactly("ACTIVE", "SKIPPED", "ACTIVE");
        var input = (JsonObject) plane.get("/api/v1/jobs/" + JobId.ofStep(new RunId(id), "big"))
                .send()
                .json()
                .get("input")
                .orElseThrow();
        assertThat(input.integer("eur")).contains(250L);
        assertThat(input.string("note")).contains("plain");
        var after = (JsonObject) plane.get("/api/v1/jobs/" + JobId.ofStep(new RunId(id), "after"))
                .send()
                .json()
                .get("input")
                .orElseThrow();
        assertThat(after.integer("twice")).contains(500L);
    }

    @Test
    void a_run_whose_steps_are_all_skipped_has_succeeded() {
        put("skip", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\",\"when\":\"${false}\"}]}");
        String id = plane.post("/api/v1/workflows/skip/runs").body("{}").send().string("run_id");

        assertThat(run(id).string("state")).isEqualTo("SUCCEEDED");
        assertThat(plane.get("/api/v1/tenants/acme/limits").send().json().integer("active_runs"))
                .contains(0L);
    }

    @Test
    void a_run_whose_expression_fails_has_failed_and_says_why() {
        put(
                "bad",
                "{\"steps\":[{\"id\":\"ok\",\"topic\":\"job.default\"},{\"id\":\"a\",\"topic\":\"job.default\",\"input\":{\"x\":\"${input.missing}\"}}]}");
        String id = plane.post("/api/v1/workflows/bad/runs").body("{}").send().string("run_id");

        assertThat(run(id).string("state")).isEqualTo("FAILED");
        assertThat(plane.get("/api/v1/runs/" + id + "/timeline").send().text()).contains("missing");
        assertThat(plane.get("/api/v1/jobs?state=CANCELLED").send().items()).hasSize(1);
        assertThat(plane.get("/api/v1/tenants/acme/limits").send().json().integer("active_runs"))
                .contains(0L);
    }

    @Test
    void the_expressions_of_one_run_share_one_budget() {
        var steps = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            steps.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"s")
                    .append(i)
                    .append("\",\"topic\":\"job.default\",\"input\":{\"v\":\"${input.l.map(x, input.l)}\"}}");
        }
        put("costly", "{\"steps\":[" + steps + "]}");
        String items = "\"" + "a".repeat(1000) + "\"";
        String list = String.join(",", Collections.nCopies(40, items));
        String id = plane.post("/api/v1/workflows/costly/runs")
                .body("{\"input\":{\"l\":[" + list + "]}}")
                .send()
                .string("run_id");

        assertThat(run(id).string("state")).isEqualTo("FAILED");
        assertThat(plane.get("/api/v1/runs/" + id + "/timeline").send().text()).contains("costs too much");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${input.xs.map(a, input.xs.map(b, input.xs))}",
                "${'a'.matches(input.pattern)}",
                "${input.xs.map(x, input.text)}",
            })
    void a_step_that_exceeds_a_limit_fails_with_its_code(String expression) {
        put(
                "costly",
                "{\"steps\":[{\"id\":\"s\",\"topic\":\"job.default\",\"input\":{\"v\":\"" + expression + "\"}}]}");
        String id = plane.post("/api/v1/workflows/costly/runs")
                .body("{\"input\":{\"pattern\":\"((a{1,1000}){1,1000}){1,1000}\",\"text\":\"" + "a".repeat(10_000)
                        + "\",\"xs\":[" + "1,".repeat(999) + "1]}}")
                .send()
                .string("run_id");

        assertThat(run(id).string("state")).isEqualTo("FAILED");
        assertThat(plane.get("/api/v1/runs/" + id + "/timeline").send().text())
                .contains("\"s\":\"expression_limit: input: the ");
    }

    @Test
    void a_workflow_has_a_bounded_number_of_expressions_and_characters_in_them() {
        assertThat(put("many", input("\"${1}\"", 1_000)).status()).isEqualTo(200);
        assertThat(put("many", input("\"${1}\"", 1_001)).string("pointer")).isEqualTo("/steps/0/input/v/1000");
        assertThat(put("many", input("\"${'" + "a".repeat(4_000) + "'}\"", 17)).string("pointer"))
                .isEqualTo("/steps/0/input/v/16");
    }

    private static String input(String expression, int times) {
        return "{\"steps\":[{\"id\":\"s\",\"topic\":\"job.default\",\"input\":{\"v\":["
                + String.join(",", Collections.nCopies(times, expression)) + "]}}]}";
    }

    @Test
    void a_step_that_asks_for_approval_makes_the_run_wait() {
        put("wait", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\",\"approval\":true}]}");
        String id = plane.post("/api/v1/workflows/wait/runs").body("{}").send().string("run_id");

        assertThat(run(id).string("state")).isEqualTo("WAITING");
        assertThat(plane.get("/api/v1/runs?state=WAITING").send().items()).hasSize(1);
    }

    @Test
    void putting_the_same_workflow_changes_nothing() {
        long events = plane.auditEvents(TestPlane.ACME);
        var again = put(
                "w",
                "{\"steps\":[{\"topic\":\"job.default\",\"id\":\"a\"},{\"id\":\"b\",\"topic\":\"job.default\",\"needs\":[\"a\"]}]}");
        assertThat(again.string("status")).isEqualTo("unchanged");
        assertThat(again.json().integer("version")).contains(1L);
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(events);

        var other = put("w", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\"}]}");
        assertThat(other.json().integer("version")).contains(2L);
        assertThat(plane.get("/api/v1/workflows/w").send().json().integer("version"))
                .contains(2L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"steps":[]}                                                                              | /steps
            {"steps":{}}                                                                              | /steps
            {"steps":[{"topic":"job.a"}]}                                                             | /steps/0/id
            {"steps":[{"id":"a"}]}                                                                    | /steps/0/topic
            {"steps":[{"id":"a b","topic":"job.a"}]}                                                  | /steps/0/id
            {"steps":[{"id":"a","topic":"other"}]}                                                    | /steps/0/topic
            {"steps":[{"id":"a","topic":"job.a"},{"id":"a","topic":"job.a"}]}                         | /steps/1/id
            {"steps":[{"id":"a","topic":"job.a","needs":["zz"]}]}                                     | /steps/0/needs/0
            {"steps":[{"id":"a","topic":"job.a","needs":["b"]},{"id":"b","topic":"job.a","needs":["a"]}]} | /steps/0/needs
            {"steps":[{"id":"a","topic":"job.a","needs":["a"]}]}                                      | /steps/0/needs
            {"steps":[{"id":"a","topic":"job.a","when":"${input.}"}]}                                 | /steps/0/when
            {"steps":[{"id":"a","topic":"job.a","input":{"x":{"y":["${1 +}"]}}}]}                     | /steps/0/input/x/y/0
            {"steps":[{"id":"a","topic":"job.a","approval":"yes"}]}                                   | /steps/0/approval
            {"steps":[{"id":"a","topic":"job.a","max_attempts":0}]}                                   | /steps/0/max_attempts
            {"steps":[{"id":"a","topic":"job.a","extra":1}]}                                          | /steps/0/extra
            {"steps":[{"id":"a","topic":"job.a","when":"${'a'.matches('((a{1,1000}){1,1000}){1,1000}')}"}]} | /steps/0/when
            {"steps":[{"id":"a","topic":"job.a","input":{"x":["${'a'.matches('a{400}')}"]}}]}         | /steps/0/input/x/0
            {"steps":[{"id":"a","topic":"job.a","when":"${1 + 1}"}]}                                  | /steps/0/when
            """)
    void a_bad_workflow_is_refused_with_the_pointer(String definition, String pointer) {
        var answer = put("bad", definition.strip());

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.string("pointer")).isEqualTo(pointer.strip());
        assertThat(plane.get("/api/v1/workflows/bad").send().status()).isEqualTo(404);
    }
}
