package dev.nonbis.server.drill;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Call;
import dev.nonbis.client.IdempotencyKeys;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisClient.KeyName;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/**
 * A payment request is decided once under its key, and its nonce is taken once. The agent is one that no policy knows, so that the answer is
 * a denial and no money moves; a denial is an outcome like any other.
 */
final class PaymentsDrill implements Drill {

    private static final int CALLERS = 5;
    private static final Duration VALID = Duration.ofMinutes(10);

    @Override
    public String name() {
        return "payments";
    }

    @Override
    public String summary() {
        return "Repeat a payment request under its key, change it, and use its nonce under another key.";
    }

    @Override
    public void run(Stage stage) throws InterruptedException {
        repeat(stage);
        together(stage);
        apart(stage);
    }

    private void repeat(Stage stage) {
        var client = stage.client();
        var key = new KeyName("payments", key());
        var envelope = envelope(stage);
        var first = new ArrayList<Answer>();
        step(stage, "ask for a payment", "decided", Stage.word(() -> client.call(call(envelope, key.key())), answer -> {
            first.add(answer);
            return answer.replayed() ? "replayed" : "decided";
        }));
        step(
                stage,
                "ask again",
                "the same bytes, by idempotency_key",
                Stage.word(
                        () -> client.call(call(envelope, key.key())),
                        answer -> (first.stream().allMatch(one -> one.text().equals(answer.text()))
                                        ? "the same bytes"
                                        : "other bytes")
                                + ", by "
                                + answer.replay().map(Answer.Replay::blockedBy).orElse("nothing")));
        step(
                stage,
                "ask for another amount under the same key",
                "protocol.idempotency_conflict",
                Stage.member("status", () -> client.call(call(amount(envelope, "0.02"), key.key()))));
        step(
                stage,
                "ask for the same under another key",
                "protocol.nonce_replay",
                Stage.member("status", () -> client.call(call(envelope, key()))));
        step(
                stage,
                "ask with another nonce under another key",
                "decided",
                Stage.word(
                        () -> client.call(call(nonce(envelope), key())),
                        answer -> answer.replayed() ? "replayed" : "decided"));
        step(
                stage,
                "read how long the key is kept",
                "longer than the envelope is good for",
                Stage.word(
                        () -> client.showKey(key),
                        answer -> kept(answer, stage.clock().instant())));
    }

    private void together(Stage stage) throws InterruptedException {
        var call = call(envelope(stage), key());
        List<String> bodies = Collections.synchronizedList(new ArrayList<>());
        String seen = Stage.atOnce(
                CALLERS,
                () -> Stage.word(() -> stage.client().call(call), answer -> {
                    bodies.add(answer.text());
                    return answer.replayed() ? "replayed" : "decided";
                }));
        step(
                stage,
                "ask for one thing, " + CALLERS + " at once",
                "1 × decided, " + (CALLERS - 1) + " × replayed",
                seen);
        step(
                stage,
                "count the different answers",
                "1",
                String.valueOf(bodies.stream().distinct().count()));
    }

    private void apart(Stage stage) throws InterruptedException {
        String key = key();
        var envelope = envelope(stage);
        var cents = new AtomicInteger(10);
        String seen = Stage.atOnce(CALLERS, () -> {
            var call = call(nonce(amount(envelope, "0." + cents.getAndIncrement())), key);
            return Stage.word(() -> stage.client().call(call), answer -> "decided");
        });
        step(
                stage,
                "ask for different things under one key, " + CALLERS + " at once",
                "1 × decided, " + (CALLERS - 1) + " × protocol.idempotency_conflict",
                seen);
    }

    private static String kept(Answer key, Instant now) {
        var until = key.body().path("expires_at");
        boolean longer = until.isNull() || Instant.parse(until.asString("")).isAfter(now.plus(VALID));
        return longer ? "longer than the envelope is good for" : "until " + until.asString("");
    }

    private static Call call(ObjectNode envelope, String key) {
        return NonbisClient.submitPaymentCall(envelope).withKey(key);
    }

    private static String key() {
        return "drill-" + IdempotencyKeys.next();
    }

    private static ObjectNode amount(ObjectNode envelope, String value) {
        var changed = envelope.deepCopy();
        changed.putObject("amount").put("value", value).put("currency", "USD");
        return changed;
    }

    private static ObjectNode nonce(ObjectNode envelope) {
        // A ULID, as keys are.
        return envelope.deepCopy().put("nonce", IdempotencyKeys.next());
    }

    private static ObjectNode envelope(Stage stage) {
        var envelope = Stage.object()
                .put("agent_id", "nonbis-drill")
                .put("task_id", "drill")
                .put("intent", "purchase_api_call")
                .put("token", "USDC")
                .put("payment_protocol", "x402")
                .put("chain", "base")
                .put("provider_url", "https://drill.invalid/")
                .put(
                        "expiry",
                        stage.clock()
                                .instant()
                                .truncatedTo(ChronoUnit.SECONDS)
                                .plus(VALID)
                                .toString())
                .put("risk_class", "low");
        envelope.putObject("destination")
                .put("type", "x402_endpoint")
                .put("url", "https://drill.invalid/")
                .put("method", "POST");
        return nonce(amount(envelope, "0.01"));
    }

    private void step(Stage stage, String what, String expected, String seen) {
        stage.add(new Step(name(), what, expected, seen));
    }
}
