package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.torture.KeyName.Form;
import dev.nonbis.bench.torture.Violation.Rule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class KeyHistoryTest {

    private static final String ONE = "{\"job_id\":\"job_1\"}";
    private static final String TWO = "{\"job_id\":\"job_2\"}";
    private static final String REUSED = "{\"code\":\"idempotency_key_reused\"}";
    private static final String AT_LIMIT = "{\"code\":\"max_concurrent_runs_reached\"}";

    private final KeyHistory job = new KeyHistory(new KeyName("acme", Operation.JOBS, 1));
    private final KeyHistory run = new KeyHistory(new KeyName("acme", Operation.RUNS, 1));

    @Test
    void a_fresh_answer_and_its_replays_are_fine() {
        assertThat(sendAndHear(job, fresh(ONE))).isEmpty();
        assertThat(sendAndHear(job, replay(ONE))).isEmpty();
        assertThat(job.settled())
                .hasValueSatisfying(settled -> assertThat(settled.id()).isEqualTo("job_1"));
    }

    @Test
    void an_acknowledged_key_that_executes_again_was_lost() {
        sendAndHear(job, fresh(ONE));

        assertThat(sendAndHear(job, fresh(TWO))).contains(Rule.ACKNOWLEDGED_IS_KEPT, Rule.ONE_ANSWER_PER_KEY);
    }

    @Test
    void a_replay_that_differs_in_one_byte_is_another_answer() {
        sendAndHear(job, fresh(ONE));

        assertThat(sendAndHear(job, replay(ONE + " "))).containsExactly(Rule.ONE_ANSWER_PER_KEY);
    }

    @Test
    void two_requests_at_once_may_not_both_be_the_first() {
        var one = job.begin(Form.ORIGINAL);
        var two = job.begin(Form.ORIGINAL);

        assertThat(job.answered(one, fresh(ONE), 1)).isEmpty();
        assertThat(rules(job.answered(two, fresh(ONE), 2))).containsExactly(Rule.ONE_ANSWER_PER_KEY);
    }

    @Test
    void the_replay_may_be_heard_before_the_first_answer() {
        var one = job.begin(Form.ORIGINAL);
        var two = job.begin(Form.REORDERED);

        assertThat(job.answered(two, replay(ONE), 1)).isEmpty();
        assertThat(job.answered(one, fresh(ONE), 2)).isEmpty();
    }

    @Test
    void a_request_whose_answer_was_lost_may_be_replayed_or_executed() {
        job.begin(Form.ORIGINAL);
        run.begin(Form.ORIGINAL);

        assertThat(sendAndHear(job, replay(ONE))).isEmpty();
        assertThat(sendAndHear(run, fresh("{\"run_id\":\"run_1\"}"))).isEmpty();
    }

    @Test
    void a_replay_of_what_was_never_sent_before_is_unexplained() {
        assertThat(sendAndHear(job, replay(ONE))).containsExactly(Rule.NOTHING_UNEXPLAINED);
    }

    @Test
    void a_run_may_be_refused_at_the_limit_and_accepted_later() {
        assertThat(sendAndHear(run, answer(429, AT_LIMIT))).isEmpty();
        assertThat(sendAndHear(run, fresh("{\"run_id\":\"run_1\"}"))).isEmpty();
    }

    @Test
    void an_acknowledged_run_may_not_be_refused_at_the_limit() {
        sendAndHear(run, fresh("{\"run_id\":\"run_1\"}"));

        assertThat(sendAndHear(run, answer(429, AT_LIMIT))).containsExactly(Rule.ACKNOWLEDGED_IS_KEPT);
    }

    @Test
    void an_error_that_the_contract_does_not_know_leaves_the_key_stuck() {
        assertThat(sendAndHear(job, answer(409, "{\"code\":\"in_progress\"}"))).containsExactly(Rule.NO_STUCK_KEY);
        assertThat(sendAndHear(job, answer(500, "{}"))).containsExactly(Rule.NO_STUCK_KEY);
        assertThat(sendAndHear(job, answer(429, "{}"))).containsExactly(Rule.NO_STUCK_KEY);
    }

    @Test
    void another_body_must_be_refused_with_the_right_code() {
        sendAndHear(job, fresh(ONE));

        assertThat(hearOther(answer(422, REUSED))).isEmpty();
        assertThat(hearOther(answer(422, "{}"))).containsExactly(Rule.MISMATCH_IS_REFUSED);
        assertThat(hearOther(fresh(TWO))).containsExactly(Rule.MISMATCH_IS_REFUSED);
    }

    @Test
    void an_unavailable_server_says_nothing_about_the_key() {
        sendAndHear(job, fresh(ONE));

        assertThat(sendAndHear(job, answer(503, "{}"))).isEmpty();
    }

    private List<Rule> hearOther(Answer answer) {
        return rules(job.answered(job.begin(Form.OTHER), answer, 9));
    }

    private static List<Rule> sendAndHear(KeyHistory key, Answer answer) {
        return rules(key.answered(key.begin(Form.ORIGINAL), answer, 5));
    }

    private static List<Rule> rules(List<Violation> violations) {
        return violations.stream().map(Violation::rule).distinct().toList();
    }

    private static Answer fresh(String body) {
        return answer(200, body);
    }

    private static Answer replay(String body) {
        return new Answer(200, Map.of("idempotent-replayed", "true"), body.getBytes(StandardCharsets.UTF_8));
    }

    private static Answer answer(int status, String body) {
        return new Answer(status, Map.of(), body.getBytes(StandardCharsets.UTF_8));
    }
}
