package dev.nonbis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class NonbisClientTest {

    private static final String JOB = """
            {"job_id":"job_1","state":"PENDING","trace_id":"t","request_hash":"h","created_at":"2026-01-02T03:04:05.000006Z"}""";

    private final ScriptedServer server = new ScriptedServer();
    private final RecordedPace pace = new RecordedPace();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_submission_carries_token_key_and_body() {
        server.answers(200, JOB);
        var job = JobSubmission.to("job.default")
                .prompt("hello")
                .input(JsonMapper.shared().readTree("{\"n\":1}"))
                .label("a", "b")
                .deadline(Duration.ofSeconds(30))
                .maxAttempts(3);

        var submitted = client().submitJob(job);

        assertThat(submitted.jobId()).isEqualTo("job_1");
        assertThat(submitted.answer().replayed()).isFalse();
        assertThat(submitted.answer().requestId()).isEqualTo("req_1");
        assertThat(server.seen())
                .containsExactly(new ScriptedServer.Seen(
                        "POST", "/api/v1/jobs", Optional.of(job.idempotencyKey()), Optional.of("Bearer token"), """
                        {"topic":"job.default","prompt":"hello","input":{"n":1},"labels":{"a":"b"},"deadline_ms":30000,"max_attempts":3}"""));
    }

    @Test
    void a_lost_answer_is_asked_for_again_under_the_same_key() {
        server.hangsUp()
                .answers(
                        200,
                        JOB,
                        "Idempotent-Replayed",
                        "true",
                        "Nonbis-Blocked-By",
                        "idempotency_key",
                        "Nonbis-Original-Request",
                        "req_0");

        var answer = client().submitJob(JobSubmission.to("t").withKey("k-1")).answer();

        assertThat(answer.replay()).contains(new Answer.Replay("idempotency_key", Optional.of("req_0")));
        assertThat(answer.attempts()).isEqualTo(2);
        assertThat(answer.text()).isEqualTo(JOB);
        assertThat(keysSeen()).containsExactly("k-1", "k-1");
    }

    @Test
    void a_problem_that_allows_the_same_key_is_retried_after_the_wait_it_asks_for() {
        server.refuses(503, "overloaded", "same_key", "Retry-After", "2").answers(200, JOB);

        var answer = client().submitJob(JobSubmission.to("t")).answer();

        assertThat(answer.attempts()).isEqualTo(2);
        assertThat(pace.pauses).containsExactly(Duration.ofSeconds(2));
    }

    @Test
    void what_may_be_retried_is_decided_by_the_word_and_not_by_the_status() {
        server.refuses(503, "gone_for_good", "never");

        var failure = catchThrowableOfType(ProblemException.class, () -> client().getJob("job_1"));

        assertThat(failure.problem().code()).isEqualTo("gone_for_good");
        assertThat(failure.problem().retry()).isEqualTo(Problem.Retry.NEVER);
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void waits_double_up_to_the_cap() {
        for (var i = 0; i < 5; i++) {
            server.refuses(503, "overloaded", "same_key");
        }
        var policy = new RetryPolicy(5, Duration.ofMinutes(1), Duration.ofMillis(100), Duration.ofMillis(300));

        var failure = catchThrowableOfType(
                ProblemException.class,
                () -> client(policy).submitJob(JobSubmission.to("t").withKey("k")));

        assertThat(failure.problem().code()).isEqualTo("overloaded");
        assertThat(failure.idempotencyKey()).contains("k");
        assertThat(pace.pauses)
                .containsExactly(
                        Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(300), Duration.ofMillis(300));
    }

    @Test
    void a_wait_beyond_the_time_that_is_left_ends_the_call_at_once() {
        server.refuses(429, "max_concurrent_runs_reached", "same_key", "Retry-After", "3600");

        var failure = catchThrowableOfType(
                ProblemException.class,
                () -> client().startRun("wf", JsonMapper.shared().createObjectNode()));

        assertThat(failure.problem().retryAfter()).contains(Duration.ofHours(1));
        assertThat(pace.pauses).isEmpty();
    }

    @Test
    void without_any_answer_the_outcome_is_unknown_and_the_key_is_kept() {
        var policy = new RetryPolicy(3, Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMillis(1));

        var failure = catchThrowableOfType(
                OutcomeUnknownException.class,
                () -> client(policy).submitJob(JobSubmission.to("t").withKey("k-9")));

        assertThat(failure.idempotencyKey()).contains("k-9");
        assertThat(keysSeen()).containsExactly("k-9", "k-9", "k-9");
    }

    @Test
    void a_refusal_after_a_lost_answer_leaves_the_outcome_unknown() {
        server.hangsUp().refuses(503, "overloaded", "same_key");
        var policy = new RetryPolicy(2, Duration.ofMinutes(1), Duration.ofMillis(1), Duration.ofMillis(1));

        var failure = catchThrowableOfType(
                OutcomeUnknownException.class, () -> client(policy).submitJob(JobSubmission.to("t")));

        assertThat(failure).hasMessageContaining("overloaded");
    }

    @Test
    void a_server_that_does_not_know_its_own_outcome_leaves_it_unknown() {
        server.refuses(503, "outcome_unknown", "same_key");

        var failure = catchThrowableOfType(
                OutcomeUnknownException.class, () -> client(RetryPolicy.NONE).submitJob(JobSubmission.to("t")));

        assertThat(failure.idempotencyKey()).isPresent();
    }

    @Test
    void an_error_page_of_something_in_between_is_no_answer() {
        server.answers(502, "<html>bad gateway</html>").answers(200, JOB);

        assertThat(client().submitJob(JobSubmission.to("t")).answer().attempts())
                .isEqualTo(2);
    }

    @Test
    void a_server_that_was_never_reached_did_nothing() {
        var url = server.url();
        server.close();

        var failure = catchThrowableOfType(
                UnreachableException.class,
                () -> client(url, RetryPolicy.NONE)
                        .submitJob(JobSubmission.to("t").withKey("k")));

        assertThat(failure.idempotencyKey()).contains("k");
    }

    @Test
    void an_unanswered_read_did_nothing() {
        var failure = catchThrowableOfType(
                UnreachableException.class, () -> client(RetryPolicy.NONE).getJob("job_1"));

        assertThat(failure).hasMessage("no answer after 1 attempt");
    }

    @Test
    void ids_and_filters_are_encoded() {
        server.answers(200, "{}").answers(200, "{\"items\":[{\"a\":1},{\"a\":2}],\"next\":\"n\"}");

        client().showKey(new NonbisClient.KeyName("jobs", "a/b c"));
        var page = client().listJobs(Query.ALL.and("label", "k:v&w").and("after", Optional.empty()));

        assertThat(server.seen().stream().map(ScriptedServer.Seen::path))
                .containsExactly("/api/v1/idempotency-keys/jobs/a%2Fb%20c", "/api/v1/jobs?label=k%3Av%26w");
        assertThat(page.items()).hasSize(2);
        assertThat(page.next()).contains("n");
    }

    @Test
    void generated_keys_differ_and_have_the_form_of_a_ulid() {
        assertThat(List.of(IdempotencyKeys.next(), IdempotencyKeys.next()))
                .doesNotHaveDuplicates()
                .allMatch(key -> key.matches("^[0-7][0-9A-HJKMNP-TV-Z]{25}$"));
    }

    private List<String> keysSeen() {
        return server.seen().stream().map(seen -> seen.key().orElse("none")).toList();
    }

    private NonbisClient client() {
        return client(RetryPolicy.DEFAULT);
    }

    private NonbisClient client(RetryPolicy policy) {
        return client(server.url(), policy);
    }

    private NonbisClient client(URI url, RetryPolicy policy) {
        return NonbisClient.builder(url, "token").retryPolicy(policy).pace(pace).build();
    }

    /** Never sleeps; chance always gives the most. */
    private static final class RecordedPace implements Pace {

        private final List<Duration> pauses = new ArrayList<>();
        private long nanos;

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public void pause(Duration wait) {
            pauses.add(wait);
            nanos += wait.toNanos();
        }

        @Override
        public double chance() {
            return 1.0;
        }
    }
}
