package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.job.JobState;
import dev.nonbis.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApprovalsTest {

    private static final String A_THEN_B =
            "[{\"id\":\"a\",\"topic\":\"job.x\",\"approval\":true},{\"id\":\"b\",\"topic\":\"job.x\",\"needs\":[\"a\"]}]";
    private static final String A_BESIDE_B =
            "[{\"id\":\"a\",\"topic\":\"job.x\",\"approval\":true},{\"id\":\"b\",\"topic\":\"job.x\"},{\"id\":\"c\",\"topic\":\"job.x\",\"approval\":true}]";

    private final ApprovalPlane plane = new ApprovalPlane();

    private static String step(String run, String step) {
        return JobId.ofStep(new RunId(run), step).value();
    }

    private List<JsonObject> audit(String type) {
        return plane.plane.get("/api/v1/audit?limit=1000").send().items().stream()
                .filter(event -> event.string("type").orElseThrow().equals(type))
                .toList();
    }

    private List<JsonObject> timeline(String path) {
        return plane.plane.get(path + "/timeline").send().items();
    }

    private static List<String> types(List<JsonObject> entries) {
        return entries.stream().map(entry -> entry.string("type").orElseThrow()).toList();
    }

    private List<String> listed(String query) {
        return plane.plane.get("/api/v1/approvals" + query).send().items().stream()
                .map(item -> item.string("job_id").orElseThrow())
                .toList();
    }

    @Test
    void a_job_that_policy_wants_approved_waits_and_says_so() {
        var submitted = plane.plane
                .post("/api/v1/jobs")
                .as(TestPlane.DAVE)
                .body("{\"topic\":\"job.ask\"}")
                .send();

        assertThat(submitted.string("state")).isEqualTo("APPROVAL");
        var approval = plane.approval(submitted.string("job_id")).json();
        assertThat(approval.string("status")).contains("waiting");
        assertThat(approval.string("submitted_by")).contains("dave");
        assertThat(approval.string("matched_rule_id")).contains("ask-a-human");
        assertThat(approval.string("request_hash")).contains(submitted.string("request_hash"));
        assertThat(approval.string("requested_at")).contains("2026-03-01T12:00:00.000000Z");
        assertThat(approval.string("expires_at")).contains("2026-03-08T12:00:00.000000Z");
        assertThat(approval.object("job").orElseThrow().string("topic")).contains("job.ask");
        assertThat(approval.object("request").orElseThrow().string("topic")).contains("job.ask");
    }

    @Test
    void labels_are_answered_as_they_were_sent_and_then_those_of_the_server() {
        String job = plane.plane
                .post("/api/v1/jobs")
                .as(TestPlane.DAVE)
                .body(
                        "{\"topic\":\"job.ask\",\"labels\":{\"z\":\"1\",\"b\":\"2\",\"y\":\"3\",\"a\":\"4\",\"x\":\"5\"}}")
                .send()
                .string("job_id");
        plane.approve(job, TestPlane.BOB);

        var labels = plane.plane.get("/api/v1/jobs/" + job).send().json().object("labels");
        assertThat(labels.orElseThrow().members().keySet())
                .containsExactly("z", "b", "y", "a", "x", "approval_granted", "nonbis.bus_msg_id");
    }

    @Test
    void an_approval_is_answered_with_who_and_when_and_the_trace_of_the_submission() {
        String job = plane.submit(ApprovalPlane.ASK);
        plane.plane.clock.advance(Duration.ofHours(1));
        var answer = plane.approve(job, TestPlane.BOB);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().members().keySet())
                .containsExactly("job_id", "status", "approved_by", "approved_at", "trace_id");
        assertThat(answer.string("job_id")).isEqualTo(job);
        assertThat(answer.string("status")).isEqualTo("approved");
        assertThat(answer.string("approved_by")).isEqualTo("bob");
        assertThat(answer.string("approved_at")).isEqualTo("2026-03-01T13:00:00.005000Z");
        assertThat(answer.string("trace_id")).isEqualTo(plane.job(job).string("trace_id"));
        assertThat(answer.replayed()).isFalse();
    }

    @Test
    void a_rejection_is_answered_with_who_and_when() {
        String job = plane.submit(ApprovalPlane.ASK);
        var answer = plane.reject(job, TestPlane.BOB);

        assertThat(answer.json().members().keySet())
                .containsExactly("job_id", "status", "rejected_by", "rejected_at", "trace_id");
        assertThat(answer.string("status")).isEqualTo("rejected");
        assertThat(plane.job(job).string("state")).isEqualTo("DENIED");
        assertThat(plane.job(job).json().object("labels").orElseThrow().members())
                .isEmpty();
    }

    @Test
    void an_approved_job_has_the_labels_of_its_approval_stored() {
        String job = plane.submit(ApprovalPlane.ASK);
        assertThat(plane.job(job).json().object("labels").orElseThrow().members())
                .isEmpty();
        plane.approve(job, TestPlane.BOB);

        var stored = plane.job(job);
        assertThat(stored.string("state")).isEqualTo("PENDING");
        var labels = stored.json().object("labels").orElseThrow();
        assertThat(labels.string("approval_granted")).contains("true");
        assertThat(labels.string("nonbis.bus_msg_id")).contains("approval:" + job);
        assertThat(plane.plane
                        .get("/api/v1/jobs?label=approval_granted:true")
                        .send()
                        .items())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"approve", "reject"})
    void a_replay_repeats_the_first_decision_whoever_asks_and_names_what_stopped_it(String call) {
        String job = plane.submit(ApprovalPlane.ASK);
        var first = plane.decide(job, call)
                .as(TestPlane.BOB)
                .body("{\"reason\":\"the first\"}")
                .send();
        long events = plane.auditEvents();
        plane.plane.clock.advance(Duration.ofDays(30));

        for (String token : List.of(TestPlane.BOB, TestPlane.CAROL, TestPlane.DAVE, TestPlane.ACME)) {
            var again = plane.decide(job, call)
                    .as(token)
                    .body("{\"reason\":\"another\",\"note\":\"n\"}")
                    .send();

            assertThat(again.status()).isEqualTo(200);
            assertThat(again.text()).isEqualTo(first.text().replace("\"status\":\"", "\"status\":\"already_"));
            assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(again.header("Nonbis-Original-Request")).isEqualTo(first.header("Nonbis-Request-Id"));
            assertThat(again.header("Nonbis-Blocked-By")).isEqualTo("approval_decision");
        }
        assertThat(plane.auditEvents()).isEqualTo(events);
        var decision = plane.approval(job).json().object("decision").orElseThrow();
        assertThat(decision.string("reason")).contains("the first");
        assertThat(decision.string("note")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"FAILED", "CANCELLED", "TIMEOUT", "SUCCEEDED", "RUNNING"})
    void an_approval_still_counts_whatever_became_of_the_job(JobState state) {
        String job = plane.submit(ApprovalPlane.ASK);
        var first = plane.approve(job, TestPlane.BOB);
        JobWalk.move(plane.plane, job, state);
        plane.plane.clock.advance(Duration.ofHours(2));

        var again = plane.approve(job, TestPlane.CAROL);
        assertThat(again.string("status")).isEqualTo("already_approved");
        assertThat(again.string("approved_by")).isEqualTo("bob");
        assertThat(again.string("approved_at")).isEqualTo(first.string("approved_at"));
        assertThat(plane.reject(job, TestPlane.CAROL).code()).isEqualTo("approval_already_approved");
        assertThat(plane.job(job).string("state")).isEqualTo(state.name());
    }

    @Test
    void an_approved_job_can_be_cancelled_and_was_approved_all_the_same() {
        String job = plane.submit(ApprovalPlane.ASK);
        plane.approve(job, TestPlane.BOB);
        assertThat(plane.cancel(job).string("status")).isEqualTo("cancelled");

        assertThat(plane.approve(job, TestPlane.BOB).string("status")).isEqualTo("already_approved");
        assertThat(plane.job(job).string("state")).isEqualTo("CANCELLED");
    }

    @Test
    void a_decision_is_one_event_that_says_who_and_why() {
        String job = plane.submit(ApprovalPlane.ASK);
        plane.decide(job, "approve")
                .as(TestPlane.BOB)
                .body("{\"reason\":\"fine\",\"note\":\"asked the customer\"}")
                .send();
        plane.approve(job, TestPlane.CAROL);
        plane.reject(job, TestPlane.CAROL);
        plane.decide(job, "approve")
                .as(TestPlane.CAROL)
                .body("{\"request_hash\":\"x\"}")
                .send();

        var events = audit("approval.approved");
        assertThat(events).hasSize(1);
        assertThat(audit("approval.rejected")).isEmpty();
        var event = events.getFirst();
        assertThat(event.string("actor")).contains("bob");
        assertThat(event.string("subject")).contains(job);
        assertThat(event.string("request_hash")).contains(plane.job(job).string("request_hash"));
        assertThat(event.object("data").orElseThrow().string("reason")).contains("fine");
        assertThat(event.object("data").orElseThrow().string("note")).contains("asked the customer");
    }

    @Test
    void the_timeline_tells_the_decision_and_the_duplicates_that_were_blocked() {
        String job = plane.submit(ApprovalPlane.ASK);
        plane.decide(job, "approve")
                .as(TestPlane.BOB)
                .body("{\"reason\":\"fine\"}")
                .send();
        for (int i = 0; i < 3; i++) {
            plane.approve(job, TestPlane.CAROL);
        }
        plane.reject(job, TestPlane.CAROL);
        plane.plane.duplicates.runOnce();

        var entries = timeline("/api/v1/jobs/" + job);
        assertThat(types(entries)).containsExactly("APPROVAL", "PENDING", "duplicate_blocked");
        var decided = entries.get(1).object("data").orElseThrow();
        assertThat(decided.string("by")).contains("bob");
        assertThat(decided.string("reason")).contains("fine");
        var blocked = entries.get(2).object("data").orElseThrow();
        assertThat(blocked.string("layer")).contains("approval_decision");
        assertThat(blocked.string("kind")).contains("approve");
        assertThat(blocked.integer("count")).contains(3L);
    }

    @Test
    void decisions_replays_and_conflicts_are_counted_apart() {
        String approved = plane.submit(ApprovalPlane.ASK);
        String rejected = plane.submit(ApprovalPlane.ASK);
        plane.approve(approved, TestPlane.BOB);
        plane.reject(rejected, TestPlane.BOB);
        plane.approve(approved, TestPlane.CAROL);
        plane.approve(approved, TestPlane.CAROL);
        plane.reject(rejected, TestPlane.CAROL);
        plane.approve(rejected, TestPlane.CAROL);
        plane.reject(approved, TestPlane.CAROL);
        plane.reject(plane.submit(ApprovalPlane.ALLOW), TestPlane.CAROL);
        // What never reached an approval is none of the three.
        plane.approve(plane.submit(ApprovalPlane.ASK), TestPlane.DAVE);
        plane.approve("job_unknown", TestPlane.BOB);
        plane.approve(approved, TestPlane.GLOBEX);

        assertThat(plane.plane.metrics.scrape())
                .contains(
                        counter("approve", "decided", 1),
                        counter("approve", "replayed", 2),
                        counter("approve", "conflict", 1),
                        counter("reject", "decided", 1),
                        counter("reject", "replayed", 1),
                        counter("reject", "conflict", 2))
                .contains("nonbis_duplicates_blocked_total{layer=\"approval_decision\"} 3.0");
    }

    private static String counter(String endpoint, String outcome, int value) {
        return "nonbis_approval_requests_total{endpoint=\"" + endpoint + "\",outcome=\"" + outcome + "\"} " + value
                + ".0";
    }

    @Test
    void self_approval_is_refused_in_both_directions_and_leaves_the_question_open() {
        String job = plane.submit(ApprovalPlane.ASK);

        for (var answer : List.of(plane.approve(job, TestPlane.DAVE), plane.reject(job, TestPlane.DAVE))) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.code()).isEqualTo("self_approval_denied");
            assertThat(answer.string("retry")).isEqualTo("never");
        }
        assertThat(plane.approve(job, TestPlane.BOB).string("status")).isEqualTo("approved");
    }

    @Test
    void self_approval_counts_where_the_operator_allows_it() {
        var lenient = new ApprovalPlane(true);

        assertThat(lenient.approve(lenient.submit(ApprovalPlane.ASK), TestPlane.DAVE)
                        .string("approved_by"))
                .isEqualTo("dave");
        assertThat(lenient.reject(lenient.submit(ApprovalPlane.ASK), TestPlane.DAVE)
                        .string("rejected_by"))
                .isEqualTo("dave");
    }

    @Test
    void whoever_started_a_run_does_not_decide_about_its_steps() {
        String job = step(plane.start(A_THEN_B), "a");

        assertThat(plane.approve(job, TestPlane.DAVE).code()).isEqualTo("self_approval_denied");
    }

    @Test
    void an_approval_given_for_this_content_counts() {
        String job = plane.submit(ApprovalPlane.ASK);
        String hash = plane.job(job).string("request_hash");
        var stale = plane.decide(job, "approve")
                .as(TestPlane.BOB)
                .body("{\"request_hash\":\"" + "f".repeat(64) + "\"}")
                .send();

        assertThat(stale.status()).isEqualTo(409);
        assertThat(stale.code()).isEqualTo("approval_stale_request");
        assertThat(stale.string("retry")).isEqualTo("fix_request");
        var bound = plane.decide(job, "approve")
                .as(TestPlane.BOB)
                .body("{\"request_hash\":\"" + hash + "\"}")
                .send();
        assertThat(bound.string("status")).isEqualTo("approved");
    }

    @Test
    void what_nobody_decided_in_time_is_denied_by_the_system() {
        String job = plane.submit(ApprovalPlane.ASK);
        plane.plane.clock.advance(ApprovalPlane.EXPIRE_AFTER.minusNanos(1000));
        plane.runExpiry();
        assertThat(plane.job(job).string("state")).isEqualTo("APPROVAL");
        plane.plane.clock.advance(Duration.ofNanos(1000));
        plane.runExpiry();
        plane.runExpiry();

        assertThat(plane.job(job).string("state")).isEqualTo("DENIED");
        assertThat(audit("approval.expired")).hasSize(1);
        assertThat(audit("approval.expired").getFirst().string("actor")).contains("system:expiry");
        var decision = plane.approval(job).json().object("decision").orElseThrow();
        assertThat(decision.string("kind")).contains("expired");
        assertThat(decision.string("by")).contains("system:expiry");
        var last = timeline("/api/v1/jobs/" + job).getLast();
        assertThat(last.string("type")).contains("DENIED");
        assertThat(last.object("data").orElseThrow().string("by")).contains("system:expiry");
    }

    @Test
    void a_call_that_comes_before_the_loop_but_after_the_time_does_not_decide() {
        String job = plane.submit(ApprovalPlane.ASK);
        plane.waitTooLong();

        assertThat(plane.approve(job, TestPlane.BOB).code()).isEqualTo("approval_expired");
        assertThat(plane.job(job).string("state")).isEqualTo("APPROVAL");
        plane.runExpiry();
        assertThat(plane.reject(job, TestPlane.BOB).code()).isEqualTo("approval_expired");
        assertThat(audit("approval.expired")).hasSize(1);
    }

    @Test
    void the_loop_leaves_alone_what_was_decided_or_cancelled() {
        String approved = plane.submit(ApprovalPlane.ASK);
        String rejected = plane.submit(ApprovalPlane.ASK);
        String cancelled = plane.submit(ApprovalPlane.ASK);
        plane.approve(approved, TestPlane.BOB);
        plane.reject(rejected, TestPlane.BOB);
        plane.cancel(cancelled);
        plane.waitTooLong();

        assertThat(plane.plane.expire.runOnce()).isZero();
        assertThat(plane.job(approved).string("state")).isEqualTo("PENDING");
        assertThat(plane.job(cancelled).string("state")).isEqualTo("CANCELLED");
    }

    @Test
    void many_that_expire_together_are_all_denied() {
        var jobs = new ArrayList<String>();
        for (int i = 0; i < 250; i++) {
            jobs.add(plane.submit(ApprovalPlane.ASK));
        }
        plane.waitTooLong();
        plane.runExpiry();

        assertThat(jobs).allMatch(job -> plane.job(job).string("state").equals("DENIED"));
        assertThat(audit("approval.expired")).hasSize(250);
        assertThat(listed("?status=waiting")).isEmpty();
    }

    @Test
    void an_approved_step_lets_its_run_go_on() {
        String run = plane.start(A_THEN_B);
        assertThat(plane.run(run).string("state")).isEqualTo("WAITING");
        assertThat(plane.approve(step(run, "a"), TestPlane.BOB).string("status"))
                .isEqualTo("approved");

        assertThat(plane.run(run).string("state")).isEqualTo("RUNNING");
        assertThat(plane.job(step(run, "a")).string("state")).isEqualTo("PENDING");
        assertThat(plane.run(run).json().object("steps").orElseThrow().string("a"))
                .contains("ACTIVE");
        assertThat(plane.activeRuns()).isEqualTo(1);
        assertThat(types(timeline("/api/v1/runs/" + run))).containsExactly("RUNNING", "WAITING", "RUNNING");
    }

    @Test
    void a_rejected_step_denies_its_run_and_ends_the_steps_beside_it() {
        String run = plane.start(A_BESIDE_B);
        plane.reject(step(run, "a"), TestPlane.BOB);

        assertThat(plane.run(run).string("state")).isEqualTo("DENIED");
        var steps = plane.run(run).json().object("steps").orElseThrow();
        assertThat(steps.string("a")).contains("DENIED");
        assertThat(steps.string("b")).contains("CANCELLED");
        assertThat(plane.job(step(run, "a")).string("state")).isEqualTo("DENIED");
        assertThat(plane.job(step(run, "b")).string("state")).isEqualTo("CANCELLED");
        assertThat(plane.job(step(run, "c")).string("state")).isEqualTo("CANCELLED");
        assertThat(plane.approve(step(run, "c"), TestPlane.BOB).code()).isEqualTo("not_awaiting_approval");
        assertThat(plane.activeRuns()).isZero();
        assertThat(audit("approval.rejected")).hasSize(1);
        assertThat(audit("run.ended")).hasSize(1);
        assertThat(types(timeline("/api/v1/runs/" + run))).last().isEqualTo("DENIED");
    }

    @Test
    void a_step_that_nobody_decides_denies_its_run() {
        String run = plane.start(A_BESIDE_B);
        plane.waitTooLong();
        plane.runExpiry();

        assertThat(plane.run(run).string("state")).isEqualTo("DENIED");
        assertThat(plane.job(step(run, "b")).string("state")).isEqualTo("CANCELLED");
        assertThat(plane.activeRuns()).isZero();
        // The other question was closed with the run before its own time was looked at, so it did not expire.
        assertThat(audit("approval.expired")).hasSize(1);
    }

    @Test
    void a_step_that_policy_wants_approved_waits_like_one_that_says_so_itself() {
        String run = plane.start("[{\"id\":\"a\",\"topic\":\"job.ask\"}]");

        assertThat(plane.run(run).string("state")).isEqualTo("WAITING");
        assertThat(plane.approval(step(run, "a")).string("matched_rule_id")).isEqualTo("ask-a-human");
        plane.approve(step(run, "a"), TestPlane.BOB);
        assertThat(plane.run(run).string("state")).isEqualTo("RUNNING");
    }

    @Test
    void lists_tell_what_waits_from_what_was_decided_newest_first() {
        String first = plane.submit(ApprovalPlane.ASK);
        String second = plane.submit(ApprovalPlane.ASK);
        String third = plane.submit(ApprovalPlane.ASK);
        plane.submit(ApprovalPlane.ALLOW);
        plane.cancel(plane.submit(ApprovalPlane.ASK));
        assertThat(listed("")).containsExactly(third, second, first);
        plane.approve(second, TestPlane.BOB);
        plane.reject(first, TestPlane.BOB);

        assertThat(listed("?status=waiting")).containsExactly(third);
        assertThat(listed("?status=decided")).containsExactly(second, first);
        assertThat(listed("?status=decided&limit=1")).containsExactly(second);
        assertThat(listed("?status=decided&after=" + second)).containsExactly(first);
        assertThat(plane.plane.get("/api/v1/approvals?status=maybe").send().code())
                .isEqualTo("invalid_query");
    }

    @Test
    void nothing_of_an_approval_is_visible_to_another_tenant() {
        String job = plane.submit(ApprovalPlane.ASK);
        plane.approve(plane.submit(ApprovalPlane.ASK), TestPlane.BOB);

        for (String path : List.of(job, "job_" + "0".repeat(26), "x")) {
            var answer = plane.plane
                    .get("/api/v1/approvals/" + path)
                    .as(TestPlane.GLOBEX)
                    .send();
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("job_not_found");
        }
        for (String query : List.of("", "?status=decided", "?after=" + job, "?after=x", "?after=../acme/" + job)) {
            assertThat(plane.plane
                            .get("/api/v1/approvals" + query)
                            .as(TestPlane.GLOBEX)
                            .send()
                            .items())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"approval_granted\":\"true\"}",
                "{\"nonbis.bus_msg_id\":\"approval:x\"}",
                "{\"nonbis.anything\":\"1\"}"
            })
    void a_forged_label_is_refused_at_submit_and_leaves_nothing(String labels) {
        long events = plane.auditEvents();
        var answer = plane.plane
                .post("/api/v1/jobs")
                .as(TestPlane.DAVE)
                .body("{\"topic\":\"job.ask\",\"labels\":" + labels + "}")
                .send();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("reserved_label");
        assertThat(plane.auditEvents()).isEqualTo(events);
        assertThat(plane.plane.get("/api/v1/jobs").send().items()).isEmpty();
    }

    @Test
    void not_even_an_admin_grants_an_approval_by_a_label() {
        var answer = plane.plane
                .post("/api/v1/jobs")
                .body("{\"topic\":\"job.ask\",\"labels\":{\"approval_granted\":\"true\"}}")
                .send();

        assertThat(answer.code()).isEqualTo("reserved_label");
    }

    @Test
    void a_body_that_says_something_else_decides_nothing() {
        String job = plane.submit(ApprovalPlane.ASK);
        for (String body : List.of(
                "{\"reson\":\"x\"}",
                "{\"reason\":1}",
                "{\"request_hash\":null}",
                "[]",
                "{\"reason\":\"" + "x".repeat(2001) + "\"}")) {
            var answer =
                    plane.decide(job, "approve").as(TestPlane.BOB).body(body).send();
            assertThat(answer.status()).as(body).isEqualTo(400);
        }
        assertThat(plane.job(job).string("state")).isEqualTo("APPROVAL");
    }
}
