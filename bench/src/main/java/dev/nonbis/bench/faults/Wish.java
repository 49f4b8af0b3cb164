package dev.nonbis.bench.faults;

import dev.nonbis.bench.http.Call;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;

/** Something that a client wants to happen once, under a key. No two have the same body. */
record Wish(String path, String key, String body) {

    // Longer than any clock is wrong here, so that no envelope ends while its client still asks.
    private static final Duration ENVELOPE = Duration.ofHours(20);

    Call call() {
        return Call.post(path, body.getBytes(StandardCharsets.UTF_8)).withKey(key);
    }

    /** Another request under the same key. */
    Wish changed() {
        return new Wish(path, key, body.replace("\"mark ", "\"another mark "));
    }

    static Wish any(int mark, SplittableRandom random) {
        int draw = random.nextInt(100);
        return draw < 60 ? job(mark, random) : draw < 80 ? run(mark, random) : payment(mark, random);
    }

    private static Wish job(int mark, SplittableRandom random) {
        int draw = random.nextInt(100);
        var topic = draw < 75 ? "job.default" : draw < 95 ? "job.review" : "job.forbidden";
        return new Wish("/api/v1/jobs", "key-" + mark, """
                {"topic":"%s","prompt":"mark %d"}""".formatted(topic, mark));
    }

    private static Wish run(int mark, SplittableRandom random) {
        return new Wish("/api/v1/workflows/plain/runs", "key-" + mark, """
                {"input":{"text":"mark %d","more":%b}}""".formatted(mark, random.nextBoolean()));
    }

    private static Wish payment(int mark, SplittableRandom random) {
        var expiry = Instant.now().plus(ENVELOPE).truncatedTo(ChronoUnit.SECONDS);
        return new Wish("/v1/payment-requests", "key-" + mark, """
                {"agent_id":"agent-one","task_id":"task-%1$d","intent":"%2$s","amount":{"value":"0.%3$d","currency":"USD"},
                 "token":"USDC","destination":{"type":"x402_endpoint","url":"https://api.example.com/v1/infer","method":"POST"},
                 "payment_protocol":"x402","chain":"base","provider_url":"https://api.example.com/v1","expiry":"%4$s",
                 "nonce":"01HZRG3MW7%1$016d","risk_class":"low","x402_payload":{"note":"mark %1$d"}}""".formatted(
                        mark,
                        random.nextInt(4) == 0 ? "pay_compute_job" : "purchase_api_call",
                        10 + random.nextInt(80),
                        expiry));
    }
}
