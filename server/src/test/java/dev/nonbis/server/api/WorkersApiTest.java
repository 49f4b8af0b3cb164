package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.TopicRules.LostWorker;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.http.MemoryBudget;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkersApiTest {

    private final TestPlane plane = new TestPlane();

    private String submit(String body) {
        String id = plane.post("/api/v1/jobs").body(body).send().string("job_id");
        plane.settle();
        return id;
    }

    private String submit() {
        return submit("{\"topic\":\"job.default\",\"prompt\":\"do\",\"input\":{\"n\":1},\"labels\":{\"a\":\"b\"}}");
    }

    private List<JsonObject> poll(String token) {
        return plane
                .post("/api/v1/worker/poll")
                .as(token)
                .body("{\"worker_id\":\"w\",\"topics\":[\"job.default\"],\"max\":10}")
                .send()
                .json()
                .array("deliveries")
                .orElseThrow()
                .items()
                .stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private TestPlane.Answer call(String job, String verb, String worker, int fence) {
        return plane.post("/api/v1/jobs/" + job + "/" + verb)
                .body("{\"worker_id\":\"" + worker + "\",\"fence\":" + fence + "}")
                .send();
    }

    private TestPlane.Answer result(String job, int fence, String rest) {
        return plane.post("/api/v1/jobs/" + job + "/result")
                .body("{\"worker_id\":\"w\",\"fence\":" + fence + "," + rest + "}")
                .send();
    }

    private TestPlane.Answer job(String id) {
        return plane.get("/api/v1/jobs/" + id).send();
    }

    private List<String> story(String id) {
        plane.duplicates.runOnce();
        return plane.get("/api/v1/jobs/" + id + "/timeline").send().items().stream()
                .map(entry -> entry.string("type").orElseThrow()
                        + entry.object("data")
                                .orElse(JsonObject.EMPTY)
                                .string("layer")
                                .map(layer -> " " + layer)
                                .orElse(""))
                .toList();
    }

    @Test
    void work_behind_jobs_that_were_cancelled_unseen_is_handed_out_at_once() {
        for (int i = 0; i < 24; i++) {
            plane.post("/api/v1/jobs/" + submit() + "/cancel").body("{}").send();
        }
        String live = submit();

        var found = plane.post("/api/v1/worker/poll")
                .body("{\"worker_id\":\"w\",\"topics\":[\"job.default\"],\"max\":1}")
                .send();

        assertThat(found.text()).contains(live);
    }

    @Test
    void a_job_goes_from_submission_to_its_recorded_result() {
        String id = submit();

        var delivery = poll(TestPlane.ACME).getFirst();
        assertThat(delivery.string("job_id")).contains(id);
        assertThat(delivery.integer("fence")).contains(1L);
        assertThat(delivery.integer("execution")).contains(1L);
        assertThat(delivery.string("prompt")).contains("do");
        assertThat(delivery.object("input").orElseThrow().integer("n")).contains(1L);
        assertThat(delivery.object("labels").orElseThrow().string("a")).contains("b");

        var started = call(id, "start", "w", 1);
        assertThat(started.string("status")).isEqualTo("started");
        assertThat(started.string("lease_until")).isEqualTo("2026-03-01T12:15:00.000000Z");
        assertThat(job(id).string("worker_id")).isEqualTo("w");
        assertThat(call(id, "heartbeat", "w", 1).string("status")).isEqualTo("running");
        assertThat(result(id, 1, "\"status\":\"succeeded\",\"output\":{\"x\":[1]}")
                        .string("status"))
                .isEqualTo("recorded");

        var done = job(id);
        assertThat(done.string("state")).isEqualTo("SUCCEEDED");
        assertThat(done.json().integer("attempts")).contains(1L);
        assertThat(done.json().integer("executions")).contains(1L);
        assertThat(done.json().object("result").orElseThrow().object("output")).isPresent();
        assertThat(story(id)).containsExactly("PENDING", "SCHEDULED", "DISPATCHED", "RUNNING", "SUCCEEDED");
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(2);
    }

    @Test
    void a_large_error_is_with_the_result_and_its_digest_in_the_timeline_and_the_log() {
        var error = "\"" + "e".repeat(900_000) + "\"";
        String id = submit();
        call(id, "start", "w", 1);
        result(id, 1, "\"status\":\"failed\",\"error\":" + error);

        assertThat(job(id).json().object("result").orElseThrow().string("error"))
                .contains("e".repeat(900_000));
        var ended = plane.get("/api/v1/jobs/" + id + "/timeline").send().items().getLast();
        var events = plane.get("/api/v1/audit").send().items();
        for (var data : List.of(
                ended.object("data").orElseThrow(),
                events.getLast().object("data").orElseThrow())) {
            assertThat(data.object("error").orElseThrow().integer("bytes")).contains(900_002L);
            assertThat(data.object("error").orElseThrow().string("sha256"))
                    .contains(Sha256.hex(error.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void a_poll_holds_memory_for_its_answer_and_none_while_there_is_no_work() {
        var wanted = new PollWork.Wanted(new TenantId("acme"), List.of("job.default"), 1);
        try (var held = new MemoryBudget(64 << 20).open();
                var none = new MemoryBudget(1 << 20).open()) {
            held.belongsTo(wanted.tenant());
            none.belongsTo(wanted.tenant());
            assertThat(plane.polls.poll(request(held), wanted, Duration.ZERO)).isEmpty();
            assertThat(held.held()).isZero();

            submit();
            assertThatThrownBy(() -> plane.polls.poll(request(none), wanted, Duration.ZERO))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            full -> assertThat(full.problem().code()).isEqualTo(ProblemCode.OVERLOADED));
            assertThat(plane.polls.poll(request(held), wanted, Duration.ZERO)).hasSize(1);
            assertThat(held.held()).isEqualTo(Route.AnswerSize.WORK.bytes());
        }
    }

    private static Request request(MemoryBudget.Account memory) {
        return new Request("req", "POST", "/", Map.of(), Map.of(), Map.of(), new byte[0], Optional.of(memory));
    }

    @Test
    void repeated_calls_are_answered_as_replays_and_told_with_the_layer_that_stopped_them() {
        String id = submit();
        var first = call(id, "start", "w", 1);
        var again = call(id, "start", "w", 1);
        assertThat(again.string("status")).isEqualTo("already_started");
        assertThat(again.replayed()).isTrue();
        assertThat(again.response().headers())
                .containsEntry("Nonbis-Blocked-By", "job_state")
                .containsEntry(
                        "Nonbis-Original-Request", first.response().headers().get("Nonbis-Request-Id"));
        assertThat(call(id, "start", "other", 1).code()).isEqualTo("claimed_elsewhere");
        assertThat(call(id, "start", "w", 2).code()).isEqualTo("stale_fence");

        var recorded = result(id, 1, "\"status\":\"succeeded\",\"output\":{\"a\":1,\"b\":2}");
        var repeated = result(id, 1, "\"output\":{\"b\":2,\"a\":1},\"status\":\"succeeded\"");
        assertThat(repeated.string("status")).isEqualTo("already_recorded");
        assertThat(repeated.response().headers())
                .containsEntry("Nonbis-Blocked-By", "result_record")
                .containsEntry(
                        "Nonbis-Original-Request", recorded.response().headers().get("Nonbis-Request-Id"));
        assertThat(result(id, 1, "\"status\":\"failed\"").code()).isEqualTo("result_conflict");

        assertThat(story(id))
                .contains(
                        "duplicate_blocked job_state",
                        "duplicate_blocked worker_fence",
                        "duplicate_blocked result_record");
        assertThat(plane.metrics.scrape())
                .contains("nonbis_duplicates_blocked_total{layer=\"job_state\"} 2.0")
                .contains("nonbis_duplicates_blocked_total{layer=\"worker_fence\"} 1.0")
                .contains("nonbis_duplicates_blocked_total{layer=\"result_record\"} 2.0");
    }

    private TestPlane.Answer asAnother(String job, String verb, int fence, String rest) {
        return plane.post("/api/v1/jobs/" + job + "/" + verb)
                .as("acme-worker")
                .body("{\"worker_id\":\"w\",\"fence\":" + fence + rest + "}")
                .send();
    }

    @Test
    void a_started_job_belongs_to_the_subject_that_started_it() {
        String id = submit();
        call(id, "start", "w", 1);

        for (String verb : List.of("start", "heartbeat")) {
            assertThat(asAnother(id, verb, 1, "").code()).isEqualTo("claimed_elsewhere");
        }
        assertThat(asAnother(id, "result", 1, ",\"status\":\"succeeded\"").code())
                .isEqualTo("claimed_elsewhere");
        assertThat(job(id).string("state")).isEqualTo("RUNNING");

        assertThat(result(id, 1, "\"status\":\"succeeded\"").string("status")).isEqualTo("recorded");
        assertThat(asAnother(id, "result", 1, ",\"status\":\"succeeded\"").code())
                .isEqualTo("claimed_elsewhere");
        assertThat(asAnother(id, "heartbeat", 1, "").code()).isEqualTo("claimed_elsewhere");
    }

    @Test
    void a_late_result_is_taken_only_from_the_subject_that_started_the_job() {
        plane.topicRules = new TopicRules(Duration.ofMinutes(5), Duration.ofMinutes(1), 50, LostWorker.HOLD);
        String id = submit();
        call(id, "start", "w", 1);
        plane.clock.advance(Duration.ofMinutes(1));
        plane.settle();

        assertThat(asAnother(id, "result", 1, ",\"status\":\"succeeded\"").code())
                .isEqualTo("claimed_elsewhere");
        assertThat(job(id).string("state")).isEqualTo("UNKNOWN");
        assertThat(result(id, 1, "\"status\":\"succeeded\"").string("status")).isEqualTo("recorded");
    }

    @Test
    void the_next_execution_may_be_another_subjects_and_the_answer_to_the_first_stays_its_own() {
        String id = submit();
        call(id, "start", "w", 1);
        result(id, 1, "\"status\":\"retryable\"");
        plane.clock.advance(Duration.ofSeconds(30));
        plane.settle();

        assertThat(asAnother(id, "start", 2, "").string("status")).isEqualTo("started");
        assertThat(asAnother(id, "result", 1, ",\"status\":\"retryable\"").code())
                .isEqualTo("claimed_elsewhere");
        assertThat(result(id, 1, "\"status\":\"retryable\"").string("status")).isEqualTo("already_recorded");
        assertThat(call(id, "heartbeat", "w", 2).code()).isEqualTo("claimed_elsewhere");
        assertThat(asAnother(id, "result", 2, ",\"status\":\"succeeded\"").string("status"))
                .isEqualTo("recorded");
    }

    @Test
    void another_tenant_sees_no_delivery_and_no_job() {
        String id = submit();

        assertThat(poll(TestPlane.GLOBEX)).isEmpty();
        for (String verb : List.of("start", "heartbeat")) {
            assertThat(plane.post("/api/v1/jobs/" + id + "/" + verb)
                            .as(TestPlane.GLOBEX)
                            .body("{\"worker_id\":\"w\",\"fence\":1}")
                            .send()
                            .code())
                    .isEqualTo("job_not_found");
        }
    }

    @Test
    void the_worker_s_key_is_the_same_for_every_execution_and_differs_between_jobs() {
        String id = submit();
        String other = submit();
        var keys = poll(TestPlane.ACME).stream()
                .map(d -> d.string("idempotency_key").orElseThrow())
                .toList();
        assertThat(keys).doesNotHaveDuplicates().hasSize(2);
        call(id, "start", "w", 1);
        call(other, "start", "w", 1);
        result(id, 1, "\"status\":\"retryable\"");
        plane.clock.advance(Duration.ofSeconds(30));
        plane.settle();

        var second = poll(TestPlane.ACME).getFirst();
        assertThat(second.integer("fence")).contains(2L);
        assertThat(keys).contains(second.string("idempotency_key").orElseThrow());
    }

    @Test
    void a_cancelled_job_tells_its_worker_and_takes_no_result() {
        String id = submit();
        call(id, "start", "w", 1);
        plane.post("/api/v1/jobs/" + id + "/cancel").send();

        var beat = call(id, "heartbeat", "w", 1);
        assertThat(beat.status()).isEqualTo(200);
        assertThat(beat.string("status")).isEqualTo("cancelled");
        assertThat(result(id, 1, "\"status\":\"succeeded\"").code()).isEqualTo("result_conflict");
        assertThat(job(id).string("state")).isEqualTo("CANCELLED");
    }

    @Test
    void a_job_cancelled_before_a_worker_took_it_is_not_handed_out() {
        String id = submit();
        plane.post("/api/v1/jobs/" + id + "/cancel").send();

        assertThat(poll(TestPlane.ACME)).isEmpty();
    }

    @Test
    void progress_notes_stand_in_the_timeline() {
        String id = submit();
        call(id, "start", "w", 1);
        plane.post("/api/v1/jobs/" + id + "/heartbeat")
                .body("{\"worker_id\":\"w\",\"fence\":1,\"note\":\"halfway\"}")
                .send();

        assertThat(story(id)).containsExactly("PENDING", "SCHEDULED", "DISPATCHED", "RUNNING", "progress");
    }

    @Test
    void heartbeats_keep_the_lease() {
        String id = submit();
        call(id, "start", "w", 1);
        for (int i = 0; i < 5; i++) {
            plane.clock.advance(Duration.ofMinutes(14));
            plane.settle();
            assertThat(call(id, "heartbeat", "w", 1).string("status")).isEqualTo("running");
        }
        assertThat(result(id, 1, "\"status\":\"succeeded\"").string("status")).isEqualTo("recorded");
    }

    @Test
    void a_clock_that_is_set_back_for_a_while_costs_no_living_worker_its_lease() {
        String id = submit();
        call(id, "start", "w", 1);
        plane.clock.advance(Duration.ofHours(-1));
        assertThat(call(id, "heartbeat", "w", 1).string("status")).isEqualTo("running");

        plane.clock.advance(Duration.ofMinutes(61));
        plane.settle();

        assertThat(call(id, "heartbeat", "w", 1).string("status")).isEqualTo("running");
    }

    @Test
    void an_unknown_outcome_is_resolved_once() {
        plane.topicRules = new TopicRules(Duration.ofMinutes(5), Duration.ofMinutes(1), 50, LostWorker.HOLD);
        String id = submit();
        call(id, "start", "w", 1);
        plane.clock.advance(Duration.ofMinutes(1));
        plane.settle();
        assertThat(job(id).string("state")).isEqualTo("UNKNOWN");

        assertThat(resolve(id, "retry").string("status")).isEqualTo("resolved");
        assertThat(resolve(id, "retry").string("status")).isEqualTo("already_resolved");
        assertThat(resolve(id, "failed").code()).isEqualTo("job_not_unknown");
        plane.settle();
        call(id, "start", "w", 2);
        assertThat(result(id, 1, "\"status\":\"succeeded\"").code()).isEqualTo("stale_fence");
        assertThat(result(id, 2, "\"status\":\"succeeded\"").string("status")).isEqualTo("recorded");
        assertThat(job(id).string("state")).isEqualTo("SUCCEEDED");
    }

    private TestPlane.Answer resolve(String id, String outcome) {
        return plane.post("/api/v1/jobs/" + id + "/resolve")
                .body("{\"outcome\":\"" + outcome + "\",\"reason\":\"looked\"}")
                .send();
    }

    @Test
    void a_dead_letter_is_retried_once_as_a_new_job_and_can_be_removed() {
        String id = submit("{\"topic\":\"job.default\",\"max_attempts\":1,\"input\":{\"n\":7}}");
        call(id, "start", "w", 1);
        result(id, 1, "\"status\":\"retryable\",\"error\":\"busy\"");
        assertThat(job(id).string("state")).isEqualTo("FAILED");
        var letter = plane.get("/api/v1/dlq").send().items().getFirst();
        assertThat(letter.string("job_id")).contains(id);
        assertThat(letter.string("why")).contains("retryable");

        var retried = plane.post("/api/v1/dlq/" + id + "/retry").send();
        var again = plane.post("/api/v1/dlq/" + id + "/retry").send();
        assertThat(retried.string("status")).isEqualTo("retried");
        assertThat(again.string("status")).isEqualTo("already_retried");
        assertThat(again.replayed()).isTrue();
        assertThat(again.string("retried_as"))
                .isEqualTo(retried.string("retried_as"))
                .isNotEqualTo(id);
        plane.settle();
        assertThat(poll(TestPlane.ACME).getFirst().object("input").orElseThrow().integer("n"))
                .contains(7L);
        assertThat(job(id).string("state")).isEqualTo("FAILED");

        assertThat(plane.delete("/api/v1/dlq/" + id).send().string("status")).isEqualTo("discarded");
        assertThat(plane.delete("/api/v1/dlq/" + id).send().code()).isEqualTo("dead_letter_not_found");
        assertThat(plane.get("/api/v1/dlq").send().items()).isEmpty();
    }

    @Test
    void a_dead_letter_of_unknown_outcome_goes_on_as_itself() {
        String id = submit("{\"topic\":\"job.default\",\"max_attempts\":1}");
        call(id, "start", "w", 1);
        plane.clock.advance(Duration.ofMinutes(15));
        plane.settle();
        assertThat(job(id).string("state")).isEqualTo("UNKNOWN");

        assertThat(plane.post("/api/v1/dlq/" + id + "/retry").send().string("retried_as"))
                .isEqualTo(id);
        plane.settle();
        assertThat(poll(TestPlane.ACME).getFirst().integer("fence")).contains(2L);
    }

    @Test
    void a_run_advances_with_the_outputs_of_its_steps() {
        plane.put("/api/v1/workflows/w").body("""
                {"steps":[
                  {"id":"count","topic":"job.default","input":{"order":"${input.order}"}},
                  {"id":"big","topic":"job.default","needs":["count"],"when":"steps.count.output.n > 10","input":{"n":"${steps.count.output.n}"}},
                  {"id":"small","topic":"job.default","needs":["count"],"when":"steps.count.output.n <= 10"},
                  {"id":"tell","topic":"job.default","needs":["big","small"],"input":{"sum":"${steps.count.output.n + 1}"}}]}""").send();
        String run = plane.post("/api/v1/workflows/w/runs")
                .body("{\"input\":{\"order\":\"o-1\"}}")
                .send()
                .string("run_id");

        finish(run, "count", "{\"n\":42}");
        assertThat(step(run, "big").json().object("input").orElseThrow().integer("n"))
                .contains(42L);
        assertThat(steps(run).string("small")).contains("SKIPPED");
        finish(run, "big", "null");
        assertThat(step(run, "tell").json().object("input").orElseThrow().integer("sum"))
                .contains(43L);
        finish(run, "tell", "{}");

        assertThat(plane.get("/api/v1/runs/" + run).send().string("state")).isEqualTo("SUCCEEDED");
        assertThat(plane.get("/api/v1/tenants/acme/limits").send().json().integer("active_runs"))
                .contains(0L);
    }

    @Test
    void a_failed_step_ends_the_run_and_reaches_the_steps_that_run() {
        plane.put("/api/v1/workflows/w").body("""
                {"steps":[{"id":"a","topic":"job.default","max_attempts":2},{"id":"b","topic":"job.default"}]}""").send();
        String run = plane.post("/api/v1/workflows/w/runs").body("{}").send().string("run_id");
        plane.settle();
        String a = JobId.ofStep(new RunId(run), "a").value();
        String b = JobId.ofStep(new RunId(run), "b").value();
        call(a, "start", "w", 1);
        call(b, "start", "w", 1);
        result(a, 1, "\"status\":\"retryable\"");
        assertThat(plane.get("/api/v1/runs/" + run).send().string("state")).isEqualTo("RUNNING");
        plane.clock.advance(Duration.ofSeconds(30));
        plane.settle();
        call(a, "start", "w", 2);
        result(a, 2, "\"status\":\"retryable\"");

        assertThat(plane.get("/api/v1/runs/" + run).send().string("state")).isEqualTo("FAILED");
        assertThat(call(b, "heartbeat", "w", 1).string("status")).isEqualTo("cancelled");
    }

    @Test
    void an_approved_job_is_dispatched_under_the_name_that_its_approval_gave() {
        plane.put("/api/v1/workflows/w").body("""
                {"steps":[{"id":"a","topic":"job.default","approval":true}]}""").send();
        String run = plane.post("/api/v1/workflows/w/runs")
                .as(TestPlane.DAVE)
                .body("{}")
                .send()
                .string("run_id");
        String job = JobId.ofStep(new RunId(run), "a").value();
        plane.post("/api/v1/approvals/" + job + "/approve").as(TestPlane.BOB).send();
        plane.settle();

        var dispatched = plane.get("/api/v1/jobs/" + job + "/timeline").send().items().stream()
                .filter(entry -> entry.string("type").equals(Optional.of("DISPATCHED")))
                .findFirst()
                .orElseThrow();
        assertThat(dispatched.object("data").orElseThrow().string("message_id"))
                .contains("jobreq:job.default:approval:" + job);
    }

    private void finish(String run, String step, String output) {
        plane.settle();
        String id = JobId.ofStep(new RunId(run), step).value();
        assertThat(call(id, "start", "w", 1).status()).isEqualTo(200);
        assertThat(result(id, 1, "\"status\":\"succeeded\",\"output\":" + output)
                        .status())
                .isEqualTo(200);
    }

    private TestPlane.Answer step(String run, String step) {
        return job(JobId.ofStep(new RunId(run), step).value());
    }

    private JsonObject steps(String run) {
        return plane.get("/api/v1/runs/" + run).send().json().object("steps").orElseThrow();
    }
}
