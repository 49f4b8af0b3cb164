package dev.nonbis.server.api;

import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.operation.Admissions;
import dev.nonbis.core.operation.Keys;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.ReleaseKey;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import java.util.Optional;
import java.util.Set;

/** Idempotency keys over HTTP, for operators. */
final class KeysApi {

    private final Ports ports;
    private final NoteDuplicates duplicates;
    private final ReleaseKey releaseKey;

    KeysApi(Ports ports, NoteDuplicates duplicates) {
        this.ports = ports;
        this.duplicates = duplicates;
        this.releaseKey = new ReleaseKey(ports);
    }

    Response get(Call call) {
        var scope = scope(call);
        var now = ports.clock().instant();
        return ports.store()
                .read(tx -> Keys.find(tx::find, scope)
                        .filter(key -> key.isLive(now))
                        .flatMap(key -> view(tx, scope, key)))
                .map(json -> Response.json(200, json))
                .orElseThrow(KeysApi::notFound);
    }

    Response release(Call call) {
        var body = Body.object(call, Set.of("reason"));
        String reason = Limits.reason(body)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> Refusal.at("/reason", ProblemCode.MISSING_FIELD, "Say why the key is released."));
        var scope = scope(call);
        return switch (releaseKey.release(call.actor(), scope, reason)) {
            case ReleaseKey.Result.Released(var subject) ->
                Response.json(
                        200,
                        JsonObject.builder()
                                .put("status", "released")
                                .put("operation", scope.operation().word())
                                .put("key", scope.key().value())
                                .put("subject", orNull(subject))
                                .build());
            case ReleaseKey.Result.NoSuchKey() -> throw notFound();
        };
    }

    private Optional<JsonObject> view(ReadTx tx, KeyScope scope, KeyRecord key) {
        var counts = counts(tx, scope, key.subject());
        return Admissions.find(tx::find, scope.tenant(), key.subject())
                .map(admission -> JsonObject.builder()
                        .put("operation", scope.operation().word())
                        .put("key", scope.key().value())
                        .put("subject", key.subject())
                        .put("fingerprint", key.fingerprint().value())
                        .put("original_request_id", key.requestId())
                        .put("status", key.answer().status())
                        .put("created_at", Timestamps.format(admission.at()))
                        .put("expires_at", orNull(key.expiresAt().map(Timestamps::format)))
                        .put("replays", counts.replays())
                        .put("mismatches", counts.mismatches())
                        .build());
    }

    private Duplicates counts(ReadTx tx, KeyScope scope, String subject) {
        var told = JobId.of(subject)
                .flatMap(id -> tx.find(Tables.JOBS, new Tables.JobKey(scope.tenant(), id)))
                .map(job -> job.duplicates())
                .or(() -> RunId.of(subject)
                        .flatMap(id -> tx.find(Tables.RUNS, Tables.runKey(scope.tenant(), id)))
                        .map(run -> run.duplicates()))
                .or(() -> PaymentId.of(subject)
                        .flatMap(id -> tx.find(Tables.PAYMENTS, new Payment.Key(scope.tenant(), id)))
                        .map(payment -> payment.duplicates()))
                .orElse(Duplicates.NONE);
        var waiting = duplicates.waiting(scope.tenant(), subject);
        return told.plus(waiting.replays(), waiting.mismatches());
    }

    private static JsonValue orNull(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }

    private static KeyScope scope(Call call) {
        var operation = Operation.of(call.request().pathParam("operation")).orElseThrow(KeysApi::notFound);
        try {
            return new KeyScope(
                    call.actor().tenant(),
                    operation,
                    IdempotencyKey.of(call.request().pathParam("key")));
        } catch (IllegalArgumentException notKey) {
            throw notFound();
        }
    }

    private static Refusal notFound() {
        return new Refusal(Problem.of(ProblemCode.KEY_NOT_FOUND, "No live key of this operation has this name."));
    }
}
