package dev.nonbis.bench.torture;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.torture.KeyName.Form;
import dev.nonbis.bench.torture.Violation.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Everything that was ever sent and heard under one key, judged answer by answer.
 *
 * <pre>
 * open ──200──▶ settled        429, 503: stays open
 *   └──no answer──▶ open, and unanswered until a retry is answered
 * </pre>
 */
final class KeyHistory {

    private static final int OK = 200;
    private static final int MISMATCH = 422;
    private static final int AT_LIMIT = 429;
    private static final int UNAVAILABLE = 503;

    private final KeyName name;
    private Optional<Settled> settled = Optional.empty();
    private int sent;
    private int fresh;

    /** The answer that every later one must repeat. */
    record Settled(String id, byte[] body, long atNanos) {}

    /** One request, and what was known when it was sent. */
    record Attempt(Form form, boolean afterSettled) {}

    KeyHistory(KeyName name) {
        this.name = name;
    }

    KeyName name() {
        return name;
    }

    synchronized Optional<Settled> settled() {
        return settled;
    }

    synchronized Attempt begin(Form form) {
        if (form != Form.OTHER) {
            sent++;
        }
        return new Attempt(form, settled.isPresent());
    }

    /** Judges an answer and remembers it. */
    synchronized List<Violation> answered(Attempt attempt, Answer answer, long nowNanos) {
        if (answer.status() == UNAVAILABLE) {
            return List.of();
        }
        return attempt.form() == Form.OTHER ? refusal(answer) : acceptance(attempt, answer, nowNanos);
    }

    private List<Violation> refusal(Answer answer) {
        return answer.status() == MISMATCH && Json.code(answer).equals("idempotency_key_reused")
                ? List.of()
                : List.of(broken(Rule.MISMATCH_IS_REFUSED, "another body got " + answer));
    }

    private List<Violation> acceptance(Attempt attempt, Answer answer, long nowNanos) {
        return switch (answer.status()) {
            case OK -> ok(attempt, answer, nowNanos);
            case AT_LIMIT -> atLimit(attempt, answer);
            default ->
                List.of(
                        attempt.afterSettled()
                                ? lost("got " + answer)
                                : broken(
                                        Rule.NO_STUCK_KEY,
                                        "neither accepted nor refused for a known reason: " + answer));
        };
    }

    private List<Violation> atLimit(Attempt attempt, Answer answer) {
        if (attempt.afterSettled()) {
            return List.of(lost("got " + answer));
        }
        boolean known = name.operation() == Operation.RUNS && Json.code(answer).equals("max_concurrent_runs_reached");
        return known ? List.of() : List.of(broken(Rule.NO_STUCK_KEY, "unexpected refusal " + answer));
    }

    private List<Violation> ok(Attempt attempt, Answer answer, long nowNanos) {
        List<Violation> violations = new ArrayList<>();
        if (!answer.replayed()) {
            fresh++;
        }
        if (settled.isPresent() && !Arrays.equals(settled.get().body(), answer.body())) {
            violations.add(broken(
                    Rule.ONE_ANSWER_PER_KEY, "first " + Json.text(settled.get().body()) + ", then " + answer));
        }
        if (attempt.afterSettled() && !answer.replayed()) {
            violations.add(lost("executed again: " + answer));
        }
        if (fresh > 1) {
            violations.add(
                    broken(Rule.ONE_ANSWER_PER_KEY, fresh + " answers claim to be the first; the last is " + answer));
        }
        if (answer.replayed() && sent == 1) {
            violations.add(
                    broken(Rule.NOTHING_UNEXPLAINED, "the very first request was answered as a replay: " + answer));
        }
        if (settled.isEmpty()) {
            var id = Json.member(answer.body(), name.operation().idMember());
            if (id.isEmpty()) {
                violations.add(broken(Rule.NO_STUCK_KEY, "an acceptance without id: " + answer));
            }
            settled = Optional.of(new Settled(id, answer.body(), nowNanos));
        }
        return violations;
    }

    private Violation lost(String what) {
        var before = settled.map(s -> Json.text(s.body())).orElse("nothing");
        return broken(Rule.ACKNOWLEDGED_IS_KEPT, "acknowledged as " + before + ", then " + what);
    }

    private Violation broken(Rule rule, String evidence) {
        return new Violation(rule, name + ": " + evidence);
    }
}
