package dev.nonbis.bench.sim;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Call;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import dev.nonbis.client.Problem;
import dev.nonbis.client.ProblemException;
import dev.nonbis.client.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client that wants jobs, runs and payments, each once. It keeps to the rules for retrying, and otherwise is as bad as clients are: it
 * sends the same thing in parallel, sends other things under the same key, comes back after an hour, and changes its mind.
 */
final class Submitter implements Runnable {

    private final Stage stage;
    private final String tenant;
    private final String subject;
    private final Chance chance;
    private final NonbisClient client;
    private final NonbisClient once;

    Submitter(Stage stage, String tenant, String subject) {
        this.stage = stage;
        this.tenant = tenant;
        this.subject = subject;
        this.chance = stage.chance();
        this.client = stage.client(tenant, subject);
        this.once = stage.client(tenant, subject, RetryPolicy.NONE);
    }

    @Override
    public void run() {
        while (stage.isOpen()) {
            stage.sleep(Duration.ofSeconds(200), chance);
            if (stage.isOpen()) {
                wantSomething();
            }
        }
    }

    private void wantSomething() {
        int draw = chance.below(100);
        int mark = stage.mark(tenant);
        if (draw < 42) {
            want(Intention.job(mark, chance));
        } else if (draw < 64) {
            want(Intention.run(mark, chance));
        } else if (draw < 88) {
            pay(mark);
        } else {
            cancelSomething();
        }
    }

    private void want(Intention intention) {
        if (chance.of(0.05)) {
            tryOnce(intention.withoutKey());
            return;
        }
        if (chance.of(0.06)) {
            // Refused for its form; the key stays free.
            tryOnce(intention.changed("misspelt", "field"));
        }
        if (chance.of(0.35)) {
            int copies = 1 + chance.below(3);
            for (int i = 0; i < copies; i++) {
                var other = chance.of(0.2) ? intention.changed("prompt", "another") : intention;
                stage.flows().start(() -> insistOn(other));
            }
        }
        insistOn(intention);
        if (chance.of(0.15)) {
            stage.flows().start(() -> {
                stage.sleep(Duration.ofMinutes(chance.of(0.5) ? 2 : 40), chance);
                tryOnce(intention);
            });
        }
    }

    private void pay(int mark) {
        var payment = Intention.payment(mark, chance, stage.agenda().instant());
        if (chance.of(0.15)) {
            // Another key for the same nonce: one of the two is taken.
            stage.flows().start(() -> insistOn(payment.under("second-key-" + mark)));
        }
        if (chance.of(0.35)) {
            // Another key much later: the nonce counts until the envelope's very end.
            long left = Duration.between(
                            stage.agenda().instant(),
                            Instant.parse(payment.body().path("expiry").asString()))
                    .toSeconds();
            var wait = Duration.ofSeconds(chance.below((int) left + 60));
            stage.flows().start(() -> {
                stage.flows().sleep(wait.toNanos() / 1000);
                insistOn(payment.under("late-key-" + mark));
            });
        }
        want(payment);
    }

    /** Sends it, again and again if that is the advice, until there is a final answer or patience ends. */
    private void insistOn(Intention intention) {
        String what = tenant + " " + intention + " by " + subject + " at "
                + stage.agenda().micros();
        stage.waitsFor(what);
        boolean mayHaveHappened = false;
        while (true) {
            try {
                learn(client.call(intention.call()));
                break;
            } catch (ProblemException e) {
                boolean again = e.problem().retry() == Problem.Retry.SAME_KEY;
                learnDenied(e.problem());
                // What the policy holds back now it will hold back then.
                boolean inVain = e.problem().code().equals("policy_throttled");
                if (!again || ((inVain || !mayHaveHappened) && chance.of(0.3))) {
                    break;
                }
            } catch (NonbisException e) {
                mayHaveHappened = true;
            }
            stage.sleep(Duration.ofSeconds(20), chance);
        }
        stage.hasAnswer(what);
    }

    private void tryOnce(Intention intention) {
        try {
            learn(once.call(intention.call()));
        } catch (NonbisException e) {
            // Whatever it was, this client does not come back.
        }
    }

    private void cancelSomething() {
        boolean run = chance.of(0.4);
        List<String> known = run ? stage.runs(tenant) : stage.jobs(tenant);
        if (known.isEmpty()) {
            return;
        }
        // Mostly something young, which can still be cancelled.
        int last = known.size() - 1;
        String id = known.get(Math.max(0, last - chance.below(4)));
        var call = Call.command(
                "/api/v1/" + (run ? "runs/" : "jobs/") + id + "/cancel",
                JsonMapper.shared().createObjectNode());
        try {
            client.call(call);
        } catch (NonbisException e) {
            // It ended before, or nobody knows; the history has it.
        }
    }

    private void learn(Answer answer) {
        id(answer, "job_id").ifPresent(stage.jobs(tenant)::add);
        id(answer, "run_id").ifPresent(stage.runs(tenant)::add);
        id(answer, "payment_id").ifPresent(stage.payments(tenant)::add);
    }

    private void learnDenied(Problem problem) {
        if (problem.body().has("job_id")) {
            stage.jobs(tenant).add(problem.body().path("job_id").asString());
        }
    }

    private static Optional<String> id(Answer answer, String member) {
        return answer.body().has(member)
                ? Optional.of(answer.body().path(member).asString())
                : Optional.empty();
    }
}
