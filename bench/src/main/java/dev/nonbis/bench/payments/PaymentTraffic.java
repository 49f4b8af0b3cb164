package dev.nonbis.bench.payments;

import static dev.nonbis.bench.load.RequestTemplate.SLOT;

import dev.nonbis.bench.load.Expected;
import dev.nonbis.bench.load.Phase;
import dev.nonbis.bench.load.RequestTemplate;
import dev.nonbis.bench.measure.Scenario;
import dev.nonbis.bench.measure.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The requests of the payments bench. Key number n always has the same envelope, so that any earlier number can be replayed. */
final class PaymentTraffic {

    private final Subject subject;
    private final Instant expiry;
    private final SplittableRandom random = new SplittableRandom(42);
    private long decided;

    PaymentTraffic(Subject subject, Instant expiry) {
        this.subject = subject;
        this.expiry = expiry;
    }

    long decided() {
        return decided;
    }

    Scenario scenario(boolean withNoop) {
        return new Scenario(
                "payments", withNoop ? Optional.of(noop()) : Optional.empty(), List.of(fresh(), replay(), conflict()));
    }

    /** The same bytes to a path that authenticates and answers without parsing or storing. */
    private Phase noop() {
        var template = template("/api/v1/noop", "0.05");
        return new Phase("no-op", into -> template.write(0, into), new Expected(200, false));
    }

    Phase fresh() {
        var template = template("/v1/payment-requests", "0.05");
        return new Phase("fresh", into -> template.write(decided++, into), new Expected(200, false));
    }

    private Phase replay() {
        var template = template("/v1/payment-requests", "0.05");
        return new Phase("replay", into -> template.write(random.nextLong(decided), into), new Expected(200, true));
    }

    private Phase conflict() {
        var template = template("/v1/payment-requests", "0.06");
        return new Phase("conflict", into -> template.write(random.nextLong(decided), into), new Expected(409, false));
    }

    private RequestTemplate template(String path, String amount) {
        var head = """
                POST %s HTTP/1.1
                Host: %s
                Authorization: Bearer %s
                Idempotency-Key: "pay-%s"
                """.formatted(path, subject.host(), subject.token(), SLOT);
        var body = """
                {"agent_id":"research-agent-01","task_id":"task-%s","intent":"purchase_api_call",\
                "amount":{"value":"%s","currency":"USD"},"token":"USDC",\
                "destination":{"type":"x402_endpoint","url":"https://api.example.com/v1/infer","method":"POST"},\
                "payment_protocol":"x402","chain":"base","provider_url":"https://api.example.com","expiry":"%s",\
                "nonce":"01HZRG3MW70000%s","risk_class":"low"}""".formatted(SLOT, amount, expiry, SLOT);
        return RequestTemplate.of(head, body);
    }
}
