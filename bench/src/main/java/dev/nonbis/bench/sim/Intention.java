package dev.nonbis.bench.sim;

import dev.nonbis.client.Call;
import dev.nonbis.core.identity.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Something that a client wants to happen once: a path, a body that no other intention has, and mostly a key. */
record Intention(String path, ObjectNode body, Optional<String> key) {

    private static final JsonMapper JSON = JsonMapper.shared();

    Call call() {
        return new Call("POST", path, Optional.<JsonNode>of(body), key);
    }

    Intention withoutKey() {
        return new Intention(path, body, Optional.empty());
    }

    Intention under(String otherKey) {
        return new Intention(path, body, Optional.of(otherKey));
    }

    /** The same key for something else. */
    Intention changed(String member, String value) {
        var other = body.deepCopy();
        other.put(member, value);
        return new Intention(path, other, key);
    }

    static Intention job(int mark, Chance chance) {
        var body = JSON.createObjectNode();
        body.put("topic", topic(chance));
        body.put("prompt", "work " + mark);
        body.putObject("labels").put("mark", Integer.toString(mark));
        if (chance.of(0.1)) {
            body.put("deadline_ms", 20_000 + chance.below(200_000));
        }
        if (chance.of(0.1)) {
            body.put("max_attempts", 1 + chance.below(4));
        }
        return new Intention("/api/v1/jobs", body, Optional.of("key-" + mark));
    }

    private static String topic(Chance chance) {
        int draw = chance.below(100);
        return draw < 45
                ? "job.default"
                : draw < 60
                        ? "job.fragile"
                        : draw < 72 ? "job.hold" : draw < 90 ? "job.review" : draw < 95 ? "job.mail" : "job.forbidden";
    }

    static Intention run(int mark, Chance chance) {
        var body = JSON.createObjectNode();
        body.putObject("input").put("mark", mark).put("more", chance.of(0.6));
        var workflow = chance.of(0.7) ? "plain" : "reviewed";
        return new Intention("/api/v1/workflows/" + workflow + "/runs", body, Optional.of("key-" + mark));
    }

    static Intention payment(int mark, Chance chance, Instant now) {
        var body = JSON.createObjectNode();
        var provider = chance.pick(Configuration.PROVIDERS);
        body.put("agent_id", chance.pick(Configuration.AGENTS));
        body.put("task_id", "task-" + mark);
        body.put("intent", chance.of(0.3) ? "pay_compute_job" : "purchase_api_call");
        body.putObject("amount").put("value", "0." + (10 + chance.below(80))).put("currency", "USD");
        body.put("token", "USDC");
        body.putObject("destination")
                .put("type", "x402_endpoint")
                .put("url", provider + "/v1/infer")
                .put("method", "POST");
        body.put("payment_protocol", "x402");
        body.put("chain", "base");
        body.put("provider_url", provider + "/v1");
        body.put("expiry", Timestamps.format(now.plus(Duration.ofMinutes(5 + chance.below(40)))));
        body.put("nonce", "01HZRG3MW7" + String.format("%016d", mark));
        body.put("risk_class", "low");
        return new Intention("/v1/payment-requests", body, Optional.of("key-" + mark));
    }
}
