package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.TopicRules.LostWorker;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.json.JsonObject;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeadLettersTest {

    private Verdict verdict = new Verdict.Allow(Optional.empty());
    private final Policy policy = (tenant, job) -> new Policy.Ruling(verdict, Optional.empty());
    private final TestPlane plane = new TestPlane(
            new DirectStore(new MemoryBackend()), policy, Settings.DEFAULTS, EnumSet.noneOf(Operation.class));

    private String submit() {
        String id = plane.post("/api/v1/jobs")
                .as(TestPlane.DAVE)
                .body("{\"topic\":\"job.default\",\"max_attempts\":1}")
                .send()
                .string("job_id");
        plane.settle();
        return id;
    }

    private JsonObject poll() {
        plane.settle();
        return (JsonObject) plane.post("/api/v1/worker/poll")
                .body("{\"worker_id\":\"w\",\"topics\":[\"job.default\"]}")
                .send()
                .json()
                .array("deliveries")
                .orElseThrow()
                .items()
                .getFirst();
    }

    private TestPlane.Answer tell(String job, String verb, int fence, String rest) {
        return plane.post("/api/v1/jobs/" + job + "/" + verb)
                .body("{\"worker_id\":\"w\",\"fence\":" + fence + rest + "}")
                .send();
    }

    /** Runs out of its attempts with every worker's answer; returns the key that its worker got. */
    private String exhaust(String job) {
        String key = poll().string("idempotency_key").orElseThrow();
        tell(job, "start", 1, "");
        tell(job, "result", 1, ",\"status\":\"retryable\"");
        assertThat(state(job)).isEqualTo("FAILED");
        return key;
    }

    private void lose(String job) {
        poll();
        tell(job, "start", 1, "");
        plane.clock.advance(Duration.ofMinutes(15));
        plane.settle();
        assertThat(state(job)).isEqualTo("UNKNOWN");
    }

    private TestPlane.Answer retry(String job) {
        return plane.post("/api/v1/dlq/" + job + "/retry").send();
    }

    private String state(String job) {
        return plane.get("/api/v1/jobs/" + job).send().string("state");
    }

    private List<JsonObject> letters() {
        return plane.get("/api/v1/dlq").send().items();
    }

    @Test
    void the_job_that_takes_a_failed_one_s_place_gives_workers_the_same_key() {
        String first = submit();
        String key = exhaust(first);
        String second = retry(first).string("retried_as");
        assertThat(exhaust(second)).isEqualTo(key);
        String third = retry(second).string("retried_as");
        assertThat(poll().string("idempotency_key")).contains(key);

        assertThat(plane.get("/api/v1/jobs/" + third)
                        .send()
                        .json()
                        .object("labels")
                        .orElseThrow()
                        .string("nonbis.retry_of"))
                .contains(first);
    }

    @Test
    void a_retry_that_the_policy_denies_by_now_changes_nothing_and_works_when_it_allows_it_again() {
        String job = submit();
        exhaust(job);
        long events = plane.auditEvents(TestPlane.ACME);
        verdict = new Verdict.Deny(Optional.of("frozen"), "emergency");

        var denied = retry(job);
        assertThat(denied.status()).isEqualTo(403);
        assertThat(denied.code()).isEqualTo("policy_denied");
        assertThat(denied.string("matched_rule_id")).isEqualTo("frozen");
        assertThat(letters().getFirst().string("retried_as")).isEmpty();
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(events);
        verdict = new Verdict.Throttle(Optional.empty(), Duration.ofSeconds(3));
        assertThat(retry(job).code()).isEqualTo("policy_throttled");

        verdict = new Verdict.Allow(Optional.empty());
        assertThat(retry(job).string("status")).isEqualTo("retried");
    }

    @Test
    void a_repeated_retry_is_a_replay_even_if_the_policy_would_deny_it_now() {
        String job = submit();
        exhaust(job);
        String made = retry(job).string("retried_as");
        verdict = new Verdict.Deny(Optional.empty(), "emergency");

        assertThat(retry(job).string("retried_as")).isEqualTo(made);
    }

    @Test
    void where_a_human_was_asked_one_is_asked_again_and_the_old_approval_is_not_taken_over() {
        verdict = new Verdict.RequireApproval(Optional.of("ask"));
        String job = submit();
        plane.post("/api/v1/approvals/" + job + "/approve").as(TestPlane.BOB).send();
        exhaust(job);
        // By now the policy asks nobody, which does not undo that somebody was asked.
        verdict = new Verdict.Allow(Optional.empty());

        String again = retry(job).string("retried_as");

        assertThat(state(again)).isEqualTo("APPROVAL");
        assertThat(plane.get("/api/v1/jobs/" + again)
                        .send()
                        .json()
                        .object("labels")
                        .orElseThrow()
                        .has("approval_granted"))
                .isFalse();
        plane.post("/api/v1/approvals/" + again + "/approve").as(TestPlane.BOB).send();
        assertThat(poll().string("job_id")).contains(again);
    }

    @Test
    void a_job_of_unknown_outcome_that_is_cancelled_leaves_no_letter_from_which_it_could_run_under_another_name() {
        String job = submit();
        lose(job);
        assertThat(letters()).hasSize(1);

        plane.post("/api/v1/jobs/" + job + "/cancel").send();

        assertThat(letters()).isEmpty();
        assertThat(retry(job).code()).isEqualTo("dead_letter_not_found");
    }

    @Test
    void a_run_that_ends_takes_the_letters_of_its_unknown_steps_with_it() {
        plane.put("/api/v1/workflows/w").body("""
                {"steps":[{"id":"a","topic":"job.default","max_attempts":1}]}""").send();
        String run = plane.post("/api/v1/workflows/w/runs").body("{}").send().string("run_id");
        String step = JobId.ofStep(new RunId(run), "a").value();
        lose(step);
        assertThat(letters()).hasSize(1);

        plane.post("/api/v1/runs/" + run + "/cancel").send();

        assertThat(state(step)).isEqualTo("CANCELLED");
        assertThat(letters()).isEmpty();
    }

    @Test
    void an_answer_of_the_lost_worker_settles_its_letter() {
        String job = submit();
        lose(job);

        assertThat(tell(job, "result", 1, ",\"status\":\"succeeded\"").string("status"))
                .isEqualTo("recorded");
        assertThat(letters()).isEmpty();
        assertThat(plane.post("/api/v1/jobs/" + job + "/resolve")
                        .body("{\"outcome\":\"failed\",\"reason\":\"too late\"}")
                        .send()
                        .code())
                .isEqualTo("job_not_unknown");
    }

    @Test
    void a_lost_worker_s_answer_after_a_human_s_word_changes_nothing() {
        plane.topicRules = new TopicRules(Duration.ofMinutes(5), Duration.ofMinutes(15), 50, LostWorker.HOLD);
        String job = submit();
        lose(job);
        plane.post("/api/v1/jobs/" + job + "/resolve")
                .body("{\"outcome\":\"failed\",\"reason\":\"looked\"}")
                .send();

        assertThat(tell(job, "result", 1, ",\"status\":\"succeeded\"").code()).isEqualTo("result_conflict");
        assertThat(tell(job, "heartbeat", 1, "").code()).isEqualTo("stale_fence");
        assertThat(state(job)).isEqualTo("FAILED");
    }
}
