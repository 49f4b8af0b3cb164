package dev.nonbis.server.api;

import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonValue;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Masked;
import dev.nonbis.server.metrics.Recent;
import dev.nonbis.server.metrics.Recent.Answered;
import dev.nonbis.server.metrics.Recent.Difference;
import dev.nonbis.server.metrics.Recent.Repeat;
import java.util.List;

/** Remembers requests that came again, for operators who look for one; of what was sent, only the shape. */
final class Repeats {

    private static final int MAX_DIFFERENCES = 20;

    private final Recent recent;

    Repeats(Recent recent) {
        this.recent = recent;
    }

    void replayed(Call call, Operation operation, String subject) {
        remember(call, operation, subject, Answered.REPLAYED, List.of());
    }

    void mismatched(Call call, Operation operation, Outcome.Mismatched mismatch) {
        JsonValue sent = Json.parse(call.request().body());
        var differences = mismatch.pointers().stream()
                .limit(MAX_DIFFERENCES)
                .map(pointer -> new Difference(pointer, Masked.at(sent, pointer)))
                .toList();
        remember(call, operation, mismatch.subject(), Answered.MISMATCHED, differences);
    }

    private void remember(
            Call call, Operation operation, String subject, Answered answered, List<Difference> differences) {
        call.request()
                .header("idempotency-key")
                .flatMap(IdempotencyKey::parseHeader)
                .ifPresent(key -> recent.repeated(
                        call.actor().tenant(),
                        new Repeat(
                                operation,
                                key.value(),
                                subject,
                                answered,
                                call.request().id(),
                                differences)));
    }
}
